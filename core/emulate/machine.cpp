#include "machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "matrices.h"

namespace phobos::emulate {

namespace {

constexpr std::size_t stack_bytes = 1 << 20;  // reserved; what is touched counts
constexpr std::size_t alignment_of_memory = 256;
constexpr std::size_t alignment_of_shared = 1 << 18;  // descriptors hold the lowest 18 bits of an address, which are then where in it that is
constexpr std::uint32_t lanes = 32, group = 128, named_barriers = 16, piece = 16;
thread_local Machine* machine = nullptr;

// A line as the card's printf makes it, but numbers at their shortest: %.9g is a float, %.17g a double.
std::string printed_line(const char* format, const std::uint64_t* values) {
  std::string line;
  for (const char* c = format; *c != '\0' && *c != '\n'; ++c) {
    if (*c != '%') {
      line += *c;
      continue;
    }
    const std::string_view rest = c + 1;
    if (rest.starts_with("%")) {
      line += '%';
      c += 1;
      continue;
    }
    const std::uint64_t bits = *values++;
    const double real = std::bit_cast<double>(bits);
    if (rest.starts_with("d")) line += fmt::format("{}", static_cast<std::int32_t>(bits)), c += 1;
    else if (rest.starts_with("lld")) line += fmt::format("{}", static_cast<std::int64_t>(bits)), c += 3;
    else if (rest.starts_with("s")) line += std::bit_cast<const char*>(bits), c += 1;
    else if (rest.starts_with(".9g")) line += std::isnan(real) ? "nan" : fmt::format("{}", static_cast<float>(real)), c += 3;
    else line += std::isnan(real) ? "nan" : fmt::format("{}", real), c += 4;
  }
  return line;
}

}  // namespace

// A box on its way; `at` is where it is in shared memory.
struct Machine::Box {
  const TensorMap* map;
  std::byte* at;
  std::int64_t x, y;
  SiteId site;
  std::int64_t bytes() const { return std::int64_t{map->box_rows} * map->box_columns * map->element_bytes; }
};

struct Machine::Phases {
  std::uint32_t arrivals, missing;
  std::int64_t bytes = 0;  // expected in this phase, less those that are there
  std::uint32_t over = 0;  // phases
  std::vector<Box> coming{};
};

struct Machine::Thread {
  struct GroupRead {
    GroupProduct product;
    std::uint64_t a, b, hash;
    SiteId site;
  };
  struct Copy {
    std::byte* to;
    const std::byte* from;
    std::uint32_t bytes;
  };
  Cta* cta;
  std::uint32_t index;
  Fiber fiber;
  State state = State::Ready;
  SiteId site = 0;  // where it waits
  WarpOp op{};
  std::uint32_t value = 0, lane = 0;
  MatrixOp matrix_op{};
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::vector<Copy> asked_for{};             // since the last commit
  std::deque<std::vector<Copy>> under_way{};  // groups
  std::vector<GroupRead> reads{};              // of products, since the last commit
  std::deque<std::vector<GroupRead>> reading{};
  std::uint32_t barrier = 0;                        // that it waits at
  const Phases* phases = nullptr;
  std::vector<Box> boxes{};                         // out of shared memory, since the last commit
  std::deque<std::vector<Box>> leaving{};
  std::uint32_t published = 0;                      // times
  std::uint32_t registers = 0;
};

struct Machine::Cta {
  std::int64_t number;
  std::vector<std::unique_ptr<Thread>> threads;
  std::unique_ptr<Memory> shared;
  std::vector<std::uint32_t> in_warp;  // lanes that wait, a warp each
  std::vector<std::uint64_t> haste;    // of each warp
  struct Meeting {
    std::uint32_t count = 0, arrived = 0;
    std::vector<Thread*> threads{};  // of those, who wait
  };
  std::map<std::uint32_t, Meeting> barriers;
  std::map<std::uintptr_t, Phases> phases;
  // Of each piece of shared memory: the thread that has written it last, which nobody else sees who is no thread until it publishes once more.
  std::vector<std::pair<const Thread*, std::uint32_t>> written;
  std::int64_t registers = 0, registers_at_launch = 0;  // of all threads; of each
  std::uint32_t done = 0;
};

// Of the host, aligned as the card's memory is.
struct Machine::Memory {
  Memory(std::size_t size, const Buffer* of, std::size_t alignment = alignment_of_memory)
      : bytes(size), buffer(of), aligned{alignment}, data(static_cast<std::byte*>(::operator new(std::max<std::size_t>(size, 1), aligned))) {}
  ~Memory() { ::operator delete(data, aligned); }
  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  bool holds(std::uintptr_t address, std::size_t count) const { return address >= begin() && count <= bytes && address - begin() <= bytes - count; }

  std::size_t bytes;
  const Buffer* buffer;
  std::align_val_t aligned;
  std::byte* data;
};

Machine::Machine(const Launch& launch, const Options& options, std::vector<Site> sites)
    : launch_(launch), options_(options), sites_(std::move(sites)), random_(options.seed) {
  for (const Argument& argument : launch.arguments) {
    by_argument_.push_back(nullptr);
    if (const auto* map = std::get_if<TensorMap>(&argument)) {
      arguments_.push_back(reinterpret_cast<std::uintptr_t>(map));
      continue;
    }
    if (const auto* scalar = std::get_if<std::uint64_t>(&argument)) {
      arguments_.push_back(*scalar);
      continue;
    }
    const Buffer& buffer = std::get<Buffer>(argument);
    memories_.push_back(std::make_unique<Memory>(buffer.bytes, &buffer));
    if (buffer.bytes) std::memcpy(memories_.back()->data, buffer.data, buffer.bytes);
    arguments_.push_back(memories_.back()->begin());
    by_argument_.back() = memories_.back().get();
  }
}

Machine::~Machine() = default;

Machine& Machine::current() { return *machine; }

Outcome Machine::run(Kernel kernel) {
  kernel_ = kernel;
  Machine* const outer = std::exchange(machine, this);
  const std::int64_t ctas = launch_.grid[0] * launch_.grid[1] * launch_.grid[2];
  const std::int64_t at_once = launch_.all_live ? ctas : 1;
  for (std::int64_t i = 0; i < at_once * launch_.threads; ++i) stacks_.emplace_back(stack_bytes);
  for (std::int64_t first = 0; first < ctas && outcome_.finished; first += at_once) run_wave(first, at_once);
  for (const auto& memory : memories_)
    if (memory->bytes) std::memcpy(memory->buffer->data, memory->data, memory->bytes);
  machine = outer;
  return std::move(outcome_);
}

void Machine::run_wave(std::int64_t first, std::int64_t count) {
  std::vector<std::unique_ptr<Cta>> ctas;
  ready_.clear();
  std::size_t stack = 0;
  for (std::int64_t number = first; number < first + count; ++number) {
    auto cta = std::make_unique<Cta>();
    cta->number = number;
    cta->shared = std::make_unique<Memory>(launch_.shared_bytes, nullptr, alignment_of_shared);
    std::memset(cta->shared->data, 0xa7, launch_.shared_bytes);  // as little of use as what a card holds
    cta->written.resize((launch_.shared_bytes + piece - 1) / piece);
    cta->in_warp.resize(static_cast<std::size_t>(launch_.threads) / lanes);
    for (std::size_t warp = 0; warp < cta->in_warp.size(); ++warp) cta->haste.push_back(random_.below(1 << 20));
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(launch_.threads); ++i) {
      auto thread = std::make_unique<Thread>(Thread{cta.get(), i, Fiber(stacks_[stack++], thread_body, nullptr)});
      ready_.push_back(thread.get());
      thread->registers = static_cast<std::uint32_t>(cta->registers_at_launch = std::min<std::int64_t>(65536 / launch_.threads / 8 * 8, 255));
      cta->registers += thread->registers;
      cta->threads.push_back(std::move(thread));
    }
    ctas.push_back(std::move(cta));
  }
  std::int64_t left = count * launch_.threads;
  while (left > 0 && outcome_.finished) {
    if (ready_.empty()) return report_stuck(ctas);
    Thread& thread = next_thread();
    running_ = &thread;
    thread.fiber.resume();
    Cta& cta = *thread.cta;
    switch (thread.state) {
      case State::Ready:
        ready_.push_back(&thread);
        cta.haste[thread.index / lanes] = random_.below(1 << 20);  // it waits for somebody: let others go first
        break;
      case State::Done:
        --left;
        ++cta.done;
        break;
      case State::AtBarrier:
        if (const Cta::Meeting& meeting = cta.barriers[thread.barrier]; meeting.arrived == meeting.count) leave_barrier(cta, thread.barrier);
        break;
      case State::AtPhase:
      case State::ForRegisters: break;
      case State::InWarp:
        if (++cta.in_warp[thread.index / lanes] == lanes) exchange(cta, thread.index / lanes);
        break;
      case State::InMatrices:
        if (++cta.in_warp[thread.index / lanes] == lanes) multiply(cta, thread.index / lanes);
        break;
    }
  }
}

// Any that can run, each as likely as the other; or, with odd seeds, one of the hastiest warp, so that some warps are far ahead of
// others: what a missing barrier lets them do is never seen while all keep abreast.
Machine::Thread& Machine::next_thread() {
  auto at = static_cast<std::size_t>(random_.below(ready_.size()));
  if (options_.seed % 2 == 1) {
    const auto haste = [](const Thread* thread) { return thread->cta->haste[thread->index / lanes]; };
    const auto begin = ready_.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(ready_.begin(), begin, ready_.end());  // any lane of that warp
    at = static_cast<std::size_t>(std::max_element(ready_.begin(), ready_.end(), [&](auto a, auto b) { return haste(a) < haste(b); }) - ready_.begin());
  }
  Thread& thread = *std::exchange(ready_[at], ready_.back());
  ready_.pop_back();
  return thread;
}

void Machine::thread_body(void*) {
  Machine& self = *machine;
  self.kernel_(self.arguments_.data());
  const Thread& thread = *self.running_;
  if (!thread.boxes.empty() || !thread.leaving.empty())
    self.stop((thread.boxes.empty() ? thread.leaving.front() : thread.boxes).front().site, fmt::format("{} ends before its copies out of shared memory have left", self.name_of(thread)));
  for (const std::vector<Thread::GroupRead>& reads : thread.reading)
    if (!reads.empty()) self.stop(reads.front().site, fmt::format("{} ends before its products are over", self.name_of(thread)));
  self.wait(State::Done);
}

void Machine::wait(State state) {
  Thread& thread = *running_;
  thread.state = state;
  thread.fiber.suspend();
}

void Machine::leave_barrier(Cta& cta, std::uint32_t number) {
  if (number < named_barriers) ++outcome_.barriers;
  cta.barriers[number].arrived = 0;
  std::vector<Thread*> threads = std::exchange(cta.barriers[number].threads, {});
  std::sort(threads.begin(), threads.end(), [](const Thread* a, const Thread* b) { return a->index < b->index; });
  for (Thread* thread : threads) {
    const Thread& leader = *cta.threads[thread->index / lanes * lanes];
    if (thread->site != leader.site)
      return fault(thread->site, fmt::format("{} and {} are of one warp and wait at different barriers", name_of(leader), name_of(*thread)));
    thread->state = State::Ready;
    ready_.push_back(thread);
  }
}

void Machine::wake(Cta& cta, State from, const Phases* phases) {
  for (const auto& thread : cta.threads) {
    if (thread->state != from || (phases && thread->phases != phases)) continue;
    thread->state = State::Ready;
    ready_.push_back(thread.get());
  }
}

void Machine::exchange(Cta& cta, std::uint32_t warp) {
  cta.in_warp[warp] = 0;
  Thread* threads[lanes];
  std::uint32_t values[lanes];
  for (std::uint32_t i = 0; i < lanes; ++i) {
    threads[i] = cta.threads[warp * lanes + i].get();
    values[i] = threads[i]->value;
    if (threads[i]->site != threads[0]->site || threads[i]->op != threads[0]->op || threads[i]->state != State::InWarp)
      return fault(threads[i]->site, fmt::format("{} and {} of one warp meet in different operations", name_of(*threads[0]), name_of(*threads[i])));
  }
  const auto folded = [&](auto combine) {
    std::uint32_t result = values[0];
    for (std::uint32_t i = 1; i < lanes; ++i) result = combine(result, values[i]);
    return result;
  };
  const auto elected = static_cast<std::uint32_t>(threads[0]->op == WarpOp::Elect ? random_.below(lanes) : 0);
  const auto as_signed = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  for (std::uint32_t i = 0; i < lanes; ++i) {
    Thread& thread = *threads[i];
    const std::uint32_t by = thread.lane;
    switch (thread.op) {
      case WarpOp::ShuffleXor: thread.value = (i ^ by) < lanes ? values[i ^ by] : values[i]; break;
      case WarpOp::ShuffleUp: thread.value = by <= i ? values[i - by] : values[i]; break;
      case WarpOp::ShuffleDown: thread.value = by < lanes - i ? values[i + by] : values[i]; break;
      case WarpOp::ShuffleFrom: thread.value = values[by % lanes]; break;
      case WarpOp::VoteAll: thread.value = folded([](std::uint32_t a, std::uint32_t b) { return a & b; }); break;
      case WarpOp::VoteAny: thread.value = folded([](std::uint32_t a, std::uint32_t b) { return a | b; }); break;
      case WarpOp::Add: thread.value = folded([](std::uint32_t a, std::uint32_t b) { return a + b; }); break;
      case WarpOp::Max: thread.value = folded([&](std::uint32_t a, std::uint32_t b) { return as_signed(a) < as_signed(b) ? b : a; }); break;
      case WarpOp::UMax: thread.value = folded([](std::uint32_t a, std::uint32_t b) { return std::max(a, b); }); break;
      case WarpOp::Min: thread.value = folded([&](std::uint32_t a, std::uint32_t b) { return as_signed(b) < as_signed(a) ? b : a; }); break;
      case WarpOp::Elect: thread.value = i == elected; break;
      case WarpOp::UMin: thread.value = folded([](std::uint32_t a, std::uint32_t b) { return std::min(a, b); }); break;
    }
    thread.state = State::Ready;
    ready_.push_back(&thread);
  }
}

void Machine::multiply(Cta& cta, std::uint32_t warp) {
  cta.in_warp[warp] = 0;
  Lanes<const std::uint32_t> in;
  Lanes<std::uint32_t> out;
  Thread* threads[lanes];
  for (std::uint32_t i = 0; i < lanes; ++i) {
    threads[i] = cta.threads[warp * lanes + i].get();
    in[i] = threads[i]->in;
    out[i] = threads[i]->out;
    if (threads[i]->site != threads[0]->site || threads[i]->state != State::InMatrices)
      return fault(threads[i]->site, fmt::format("{} and {} of one warp meet in different operations", name_of(*threads[0]), name_of(*threads[i])));
  }
  run_matrices(threads[0]->matrix_op, in, out);
  for (Thread* thread : threads) {
    thread->state = State::Ready;
    ready_.push_back(thread);
  }
}

// Nobody can go on, and not everybody is done: some wait for others that will not come.
void Machine::report_stuck(std::vector<std::unique_ptr<Cta>>& ctas) {
  for (const auto& cta : ctas) {
    const Thread* waiting = nullptr;
    const Thread* other = nullptr;
    for (const auto& thread : cta->threads) {
      if (thread->state == State::Done) {
        if (!other) other = thread.get();
      } else if (!waiting) {
        waiting = thread.get();
      } else if (thread->site != waiting->site) {
        other = thread.get();
      }
    }
    if (!waiting) continue;
    const std::string what = sites_[waiting->site].what;
    return fault(waiting->site,
                 other && other->state == State::Done
                     ? fmt::format("{} waits for ever at `{}`: {} has ended", name_of(*waiting), what, name_of(*other))
                 : other ? fmt::format("{} waits for ever at `{}`: {} waits at `{}`, line {}", name_of(*waiting), what, name_of(*other),
                                       sites_[other->site].what, sites_[other->site].line)
                         : fmt::format("{} waits for ever at `{}`", name_of(*waiting), what));
  }
}

std::string Machine::name_of(const Thread& thread) const {
  const std::int64_t x = launch_.grid[0], y = launch_.grid[1], number = thread.cta->number;
  return fmt::format("thread {} of block [{}, {}, {}]", thread.index, number % x, number / x % y, number / (x * y));
}

void Machine::fault(SiteId site, std::string message) {
  if (!outcome_.finished) return;
  outcome_.finished = false;
  outcome_.faults.push_back({std::move(message), sites_[site].line, sites_[site].column});
}

void Machine::stop(SiteId site, std::string message) {
  fault(site, std::move(message));
  wait(State::Done);
  std::abort();
}

std::uint32_t Machine::special_register(Register which) const {
  const std::int64_t x = launch_.grid[0], y = launch_.grid[1], number = running_->cta->number;
  switch (which) {
    case Register::Thread: return running_->index;
    case Register::BlockX: return static_cast<std::uint32_t>(number % x);
    case Register::BlockY: return static_cast<std::uint32_t>(number / x % y);
    case Register::BlockZ: return static_cast<std::uint32_t>(number / (x * y));
    default: return static_cast<std::uint32_t>(launch_.grid[static_cast<std::size_t>(which) - static_cast<std::size_t>(Register::BlocksX)]);
  }
}

std::byte* Machine::shared_memory() const { return running_->cta->shared->data; }

void Machine::trap(SiteId site) { stop(site, fmt::format("{} stopped the kernel", name_of(*running_))); }

void Machine::meet(std::uint32_t number, std::uint32_t threads, SiteId site) {
  Thread& thread = *running_;
  thread.site = site;
  thread.barrier = number;
  const auto count = threads == 0 ? static_cast<std::uint32_t>(thread.cta->threads.size()) : threads;
  Cta::Meeting& meeting = thread.cta->barriers[number];
  if (meeting.arrived != 0 && meeting.count != count)
    stop(site, fmt::format("{} waits at barrier {} for {} threads, and others for {}", name_of(thread), number, count, meeting.count));
  meeting.count = count;
  ++meeting.arrived;
}

// The warps of a group multiply together, and what has been committed is over for all of them at once. So one of its threads can speak for
// all of what they have read.
void Machine::begin_groups(SiteId site) { barrier(named_barriers + running_->index / group, group, site); }

void Machine::barrier(std::uint32_t number, std::uint32_t threads, SiteId site) {
  meet(number, threads, site);
  running_->cta->barriers[number].threads.push_back(running_);
  wait(State::AtBarrier);
}

void Machine::arrive_at_barrier(std::uint32_t number, std::uint32_t threads, SiteId site) {
  meet(number, threads, site);
  if (const Cta::Meeting& meeting = running_->cta->barriers[number]; meeting.arrived == meeting.count) leave_barrier(*running_->cta, number);
}

Machine::Phases& Machine::phases_at(std::uintptr_t at, SiteId site) {
  const auto found = running_->cta->phases.find(at);
  if (found == running_->cta->phases.end()) stop(site, fmt::format("{} uses a barrier that nobody has made", name_of(*running_)));
  return found->second;
}

void Machine::make_phases(std::uintptr_t at, std::uint32_t arrivals, SiteId site) {
  check(at, 8, 8, access::shared | access::write, site);
  if (!running_->cta->phases.try_emplace(at, Phases{arrivals, arrivals}).second) stop(site, fmt::format("{} makes a barrier that is there", name_of(*running_)));
}

void Machine::arrive(std::uintptr_t at, std::uint32_t bytes, SiteId site) {
  spend(site);
  Phases& phases = phases_at(at, site);
  if (phases.missing == 0) stop(site, fmt::format("{} arrives at a barrier once more in a phase than it was made for", name_of(*running_)));
  phases.bytes += bytes;
  --phases.missing;
  settle(phases, site);
}

void Machine::settle(Phases& phases, SiteId site) {
  if (phases.missing != 0 || phases.bytes > 0) return;
  if (phases.bytes < 0) stop(site, fmt::format("{} bytes more are copied than {} expects", -phases.bytes, name_of(*running_)));
  ++phases.over;
  phases.missing = phases.arrivals;
  wake(*running_->cta, State::AtPhase, &phases);
}

void Machine::finish_boxes(Phases& phases, SiteId site) {
  for (const Box& box : std::exchange(phases.coming, {})) {
    move(box, false);
    phases.bytes -= box.bytes();
  }
  settle(phases, site);
}

// A phase is told by its lowest bit alone: it must be this one that is over last, or the one under way.
void Machine::wait_for_phase(std::uintptr_t at, std::uint32_t phase, SiteId site) {
  spend(site);
  Thread& thread = *running_;
  Phases& phases = phases_at(at, site);
  if (!phases.coming.empty()) finish_boxes(phases, site);
  thread.site = site;
  thread.phases = &phases;
  while ((phases.over & 1) == (phase & 1)) wait(State::AtPhase);
  if (phases.over != phase + 1)
    stop(site, fmt::format("{} waits for phase {} of a barrier and takes phase {} for it", name_of(thread), static_cast<std::int32_t>(phase), phases.over - 1));
}

Machine::Memory& Machine::memory_of(const TensorMap& map) { return *by_argument_[map.argument]; }

void Machine::load_box(std::uintptr_t to, const TensorMap& map, std::uintptr_t barrier, std::int32_t x, std::int32_t y, SiteId site) {
  const Box box{&map, reinterpret_cast<std::byte*>(to), x, y, site};
  check(to, static_cast<std::uint32_t>(box.bytes()), 128, access::shared | access::write, site);
  Phases& phases = phases_at(barrier, site);
  phases.coming.push_back(box);
  const auto& threads = running_->cta->threads;
  const bool awaited = std::any_of(threads.begin(), threads.end(), [&](const auto& thread) { return thread->state == State::AtPhase && thread->phases == &phases; });
  if (awaited || random_.below(2) == 0) finish_boxes(phases, site);
}

void Machine::store_box(const TensorMap& map, std::uintptr_t from, std::int32_t x, std::int32_t y, SiteId site) {
  Thread& thread = *running_;
  const Box box{&map, reinterpret_cast<std::byte*>(from), x, y, site};
  check(from, static_cast<std::uint32_t>(box.bytes()), 128, access::shared, site);
  const auto first = static_cast<std::uint32_t>(from - thread.cta->shared->begin());
  check_published(first, first + static_cast<std::uint32_t>(box.bytes()), "copies out of shared memory", site);
  if (!memory_of(map).buffer->written) stop(site, fmt::format("{} writes `{}`, which the kernel only reads", name_of(thread), memory_of(map).buffer->name));
  thread.boxes.push_back(box);
  if (random_.below(2) == 0) {
    move(box, true);
    thread.boxes.back().map = nullptr;
  }
}

void Machine::commit_boxes() { running_->leaving.push_back(std::exchange(running_->boxes, {})); }

void Machine::wait_for_boxes(std::uint32_t groups) {
  for (; running_->leaving.size() > groups; running_->leaving.pop_front())
    for (const Box& box : running_->leaving.front())
      if (box.map) move(box, true);
}

// Copies and products read shared memory by another way than threads write it.
void Machine::note_write(std::uintptr_t address, std::uint32_t bytes) {
  Cta& cta = *running_->cta;
  const std::uintptr_t first = address - cta.shared->begin();
  for (std::uintptr_t at = first / piece; at <= (first + bytes - 1) / piece; ++at) cta.written[at] = {running_, running_->published};
}

void Machine::publish() { ++running_->published; }

void Machine::check_published(std::uint32_t first, std::uint32_t end, const char* what, SiteId site) {
  const Cta& cta = *running_->cta;
  for (std::uint32_t at = first / piece; at <= (end - 1) / piece; ++at)
    if (const auto& [by, when] = cta.written[at]; by && by->published == when)
      stop(site, fmt::format("{} {} what {} has written there and not published", name_of(*running_), what, name_of(*by)));
}

// Rows of the box lie one behind the other in shared memory, and the pieces of 16 bytes in an order that follows from their address there.
// What is outside of the tensor is 0, and is not written.
void Machine::move(const Box& box, bool out) {
  const TensorMap& map = *box.map;
  const Memory& memory = memory_of(map);
  const auto first = static_cast<std::uint32_t>(box.at - running_->cta->shared->data);
  const auto bytes = static_cast<std::uint32_t>(box.bytes());
  if (!out) std::fill_n(running_->cta->written.begin() + first / piece, (bytes + piece - 1) / piece, std::pair<const Thread*, std::uint32_t>());
  for (std::int64_t row = 0; row < map.box_rows; ++row)
    for (std::int64_t column = 0; column < map.box_columns; ++column) {
      const auto plain = first + static_cast<std::uint32_t>((row * map.box_columns + column) * map.element_bytes);
      std::byte* here = running_->cta->shared->data + (plain ^ ((plain >> 7 & (map.swizzle / 16 - 1)) << 4));
      const std::int64_t at_row = box.y + row, at_column = box.x + column;
      const bool inside = at_row >= 0 && at_column >= 0 && at_row < static_cast<std::int64_t>(map.rows) && at_column < static_cast<std::int64_t>(map.columns);
      std::byte* there = inside ? memory.data + (static_cast<std::uint64_t>(at_row) * map.columns + static_cast<std::uint64_t>(at_column)) * map.element_bytes : nullptr;
      if (out && inside) std::memcpy(there, here, map.element_bytes);
      if (!out && inside) std::memcpy(here, there, map.element_bytes);
      if (!out && inside && map.rounds) {
        float value = 0;
        std::memcpy(&value, here, sizeof value);
        const std::uint32_t rounded = round_to_tf32(value);
        std::memcpy(here, &rounded, sizeof rounded);
      }
      if (!out && !inside) std::memset(here, 0, map.element_bytes);
    }
}

// A launch gives all threads the same number, and a CTA keeps what it was given: one role can have more only where another has less.
void Machine::set_registers(std::uint32_t count, bool more, SiteId site) {
  Thread& thread = *running_;
  Cta& cta = *thread.cta;
  const std::int64_t all = cta.registers_at_launch * static_cast<std::int64_t>(cta.threads.size());
  if (count % 8 != 0 || count < 24 || count > 256 || (more ? count < thread.registers : count > thread.registers))
    stop(site, fmt::format("{} has {} registers and asks for {} {}", name_of(thread), thread.registers, more ? "more," : "fewer,", count));
  thread.site = site;
  while (cta.registers - thread.registers + count > all) wait(State::ForRegisters);
  cta.registers += static_cast<std::int64_t>(count) - thread.registers;
  thread.registers = count;
  if (!more) wake(cta, State::ForRegisters);
}

std::uint32_t Machine::warp(WarpOp op, std::uint32_t value, std::uint32_t lane, SiteId site) {
  Thread& thread = *running_;
  thread.site = site;
  thread.op = op;
  thread.value = value;
  thread.lane = lane;
  wait(State::InWarp);
  return thread.value;
}

void Machine::matrices(MatrixOp op, const std::uint32_t* in, std::uint32_t* out, SiteId site) {
  Thread& thread = *running_;
  const bool stores = op == MatrixOp::Store4;
  if (const std::uint32_t count = matrices_of(op); stores || (count > 0 && thread.index % lanes < 8 * count)) {
    std::uint64_t address = 0;
    std::memcpy(&address, in, sizeof address);
    access(address, 16, 16, access::shared | (stores ? std::uint32_t{access::write} : 0), site);
  } else {
    spend(site);
  }
  thread.site = site;
  thread.matrix_op = op;
  thread.in = in;
  thread.out = out;
  wait(State::InMatrices);
}

void Machine::multiply_by_groups(const GroupProduct& product, std::uint64_t a, std::uint64_t b, void* sums, SiteId site) {
  Thread& thread = *running_;
  std::uint32_t quad[16];
  if (product.registers) matrices(MatrixOp::Quad4, reinterpret_cast<const std::uint32_t*>(a), quad, site);
  const SwizzledOperands operands(product, shared_memory(), a, b);
  if (const std::string fault = operands.fault(); !fault.empty()) stop(site, fmt::format("{}: {}", name_of(thread), fault));
  // The last byte of both: they begin in shared memory, as a descriptor cannot say otherwise.
  const std::uint32_t end_of_a = product.registers ? 0 : operands.end_of_a();
  check(reinterpret_cast<std::uintptr_t>(shared_memory()) + std::max(end_of_a, operands.end_of_b()) - 1, 1, 1, access::shared, site);
  operands.multiply(thread.index % group, product.registers ? quad : nullptr, sums);
  if (thread.index % group == 0) {
    if (!product.registers) check_published(operands.begin_of_a(), end_of_a, "multiplies", site);
    check_published(operands.begin_of_b(), operands.end_of_b(), "multiplies", site);
    thread.reads.push_back({product, a, b, operands.hash(), site});
  }
  outcome_.steps += product.n / 4;
}

void Machine::commit_groups(SiteId site) {
  begin_groups(site);
  running_->reading.push_back(std::exchange(running_->reads, {}));
}

void Machine::wait_for_groups(std::uint32_t groups) {
  Thread& thread = *running_;
  for (; thread.reading.size() > groups; thread.reading.pop_front())
    for (const Thread::GroupRead& read : thread.reading.front())
      if (SwizzledOperands(read.product, shared_memory(), read.a, read.b).hash() != read.hash)
        stop(read.site, fmt::format("{} multiplies what is overwritten before it has waited for the product", name_of(thread)));
}

void Machine::copy(std::uintptr_t to, std::uintptr_t from, std::uint32_t bytes, SiteId site) {
  access(to, 16, 16, access::shared | access::write, site);
  if (bytes > 16) stop(site, fmt::format("{} copies {} bytes where 16 is the most", name_of(*running_), bytes));
  if (bytes > 0) check(from, bytes, 16, 0, site);
  running_->asked_for.push_back({reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), bytes});
}

void Machine::commit_copies() { running_->under_way.push_back(std::exchange(running_->asked_for, {})); }

void Machine::wait_for_copies(std::uint32_t groups) {
  for (; running_->under_way.size() > groups; running_->under_way.pop_front())
    for (const Thread::Copy& copy : running_->under_way.front()) {
      std::memset(copy.to, 0, 16);
      if (copy.bytes) std::memcpy(copy.to, copy.from, copy.bytes);
    }
}

void Machine::print(const char* format, const std::uint64_t* values) {
  if (outcome_.printed.size() >= options_.most_printed) {
    ++outcome_.printed_left_out;
    return;
  }
  outcome_.printed.push_back(printed_line(format, values));
}

void Machine::spend(SiteId site) {
  ++outcome_.steps;
  if ((outcome_.steps & 1023) == 0 && options_.stop.stop_requested()) stop(site, "the kernel was interrupted");
  if (options_.step_budget > 0 && outcome_.steps > options_.step_budget)
    stop(site, fmt::format("the kernel was stopped: it took more than {} steps; `--max-steps` allows more", options_.step_budget));
}

void Machine::access(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment, std::uint32_t how, SiteId site) {
  check(address, bytes, alignment, how, site);
  if ((how & access::shared) != 0 && (how & access::write) != 0) note_write(address, bytes);
}

void Machine::check(std::uintptr_t address, std::uint32_t bytes, std::uint32_t alignment, std::uint32_t how, SiteId site) {
  spend(site);
  // Who waits for another thread's store has to let it run. A turn of the scheduler costs as much as many accesses.
  if ((how & access::atomic) != 0) {
    outcome_.steps += 63;
    wait(State::Ready);
  }
  const char* what = (how & access::write) ? "writes" : "reads";
  if (address % alignment != 0)
    stop(site, fmt::format("{} {} {} bytes at an address that is no multiple of {}", name_of(*running_), what, bytes, alignment));
  if (how & access::shared) {
    const Memory& shared = *running_->cta->shared;
    if (shared.holds(address, bytes)) return;
    stop(site, fmt::format("{} {} {} bytes outside of shared memory, {} bytes from its start, of {}", name_of(*running_), what, bytes,
                           static_cast<std::intptr_t>(address - shared.begin()), shared.bytes));
  }
  const Memory* nearest = nullptr;
  for (const auto& memory : memories_) {
    if (memory->holds(address, bytes)) {
      if ((how & access::write) && !memory->buffer->written)
        stop(site, fmt::format("{} writes `{}`, which the kernel only reads", name_of(*running_), memory->buffer->name));
      if ((how & access::constant) && memory->buffer->written)
        stop(site, fmt::format("{} reads `{}` as if nobody wrote it, and the kernel does", name_of(*running_), memory->buffer->name));
      return;
    }
    const auto distance = [&](const Memory& m) { return address < m.begin() ? m.begin() - address : address - m.begin(); };
    if (!nearest || distance(*memory) < distance(*nearest)) nearest = memory.get();
  }
  if (!nearest) stop(site, fmt::format("{} {} {} bytes of no tensor", name_of(*running_), what, bytes));
  stop(site, fmt::format("{} {} {} bytes outside of every tensor; `{}` is nearest: {} bytes from its start, of {}", name_of(*running_), what, bytes,
                         nearest->buffer->name, static_cast<std::intptr_t>(address - nearest->begin()), nearest->bytes));
}

}  // namespace phobos::emulate
