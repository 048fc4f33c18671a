#include "turns.h"

#include <algorithm>
#include <utility>
#include <cstring>

#include <fmt/format.h>

#include "findings.h"

namespace phobos::sim {
namespace {

constexpr std::size_t most_live = 1024;
constexpr std::int64_t steps_of_idle_round = 1000;
constexpr std::size_t most_related = 3;
constexpr std::int64_t most_early_turns = 20'000;
constexpr std::int64_t most_rounds = 64;  // that a CTA may go on for while it writes
constexpr int patience = 1000;            // rounds that a patient one waits for by itself

// As it is written in the language.
std::string_view name_of(const ir::Op& op) {
  if (op.code != ir::Opcode::Atomic) return ir::info(op.code).mnemonic;
  switch (static_cast<ir::AtomicOp>(op.immediate)) {
    case ir::AtomicOp::Add: return "atomic_add";
    case ir::AtomicOp::Max: return "atomic_max";
    case ir::AtomicOp::Min: return "atomic_min";
    case ir::AtomicOp::Exchange: return "atomic_exch";
    default: return "atomic_cas";
  }
}

}  // namespace

Turns::Turns(Machine& machine) : machine_(machine), total_(machine.ctas()) {}

Turns::~Turns() {
  for (const auto& worker : workers_)
    if (worker->thread.joinable()) worker->thread.join();
}

bool Turns::run() {
  if (begin_next()) {
    workers_[current_]->go.release();
    finished_.acquire();
  }
  for (const auto& worker : workers_) worker->thread.join();
  if (failure_) std::rethrow_exception(failure_);
  return done_ == total_;
}

// Makes a worker for the next CTA, or lets one that is free have it, and makes it the current one.
bool Turns::begin_next() {
  if (stopped_ || !next_wanted() || workers_.size() == most_live) return false;
  auto worker = std::make_unique<Worker>();
  worker->cta = std::make_unique<Cta>(machine_);
  worker->cta_index = take_next();
  workers_.reserve(workers_.size() + 1);
  worker->thread = std::thread([this, begun = worker.get()] { live(*begun); });  // waits until it has the turn
  current_ = workers_.size();
  workers_.push_back(std::move(worker));
  return true;
}

void Turns::live(Worker& worker) {
  worker.go.acquire();
  while (!stopped_) {
    try {
      worker.cta->run(worker.cta_index);
      ++done_;
      machine_.cta_ended(false, *worker.cta);
      if (machine_.options.progress) machine_.options.progress(done_, total_);
    } catch (const Halt&) {
      machine_.cta_ended(true, *worker.cta);
      stopped_ = true;
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
    }
    worker.loop = nullptr;
    worker.stuck = false;
    worker.idle = worker.alone = 0;
    try {
      if (machine_.order.patient && !stopped_)
        if (Worker* next = next_where([&](const Worker& one) { return one.state == State::Ready && !settled(one); })) switch_to(*next);
    } catch (const Halt&) {
    }
    if (stopped_ || !next_wanted()) break;
    worker.cta_index = take_next();
  }
  worker.state = State::Free;
  pass_on();
}

template <class F>
Turns::Worker* Turns::next_where(F&& fits) {
  for (std::size_t i = 1; i < workers_.size(); ++i)
    if (Worker& worker = *workers_[(current_ + i) % workers_.size()]; fits(worker)) return &worker;
  return nullptr;
}

// The next one that can go on.
Turns::Worker* Turns::next_ready(bool also_at_barrier) {
  return next_where([&](const Worker& one) { return one.state == State::Ready || (also_at_barrier && one.state == State::AtBarrier); });
}

bool Turns::settled(const Worker& worker) const { return worker.version == version_ && (worker.stuck || worker.alone >= patience); }

void Turns::pass_on() {
  Worker* next = next_ready(stopped_);
  if (!next && !stopped_) {  // those that are left wait at a barrier that this one has not come to
    next = next_ready(true);
    if (next) {
      dissolved_ = true;
      for (const auto& worker : workers_)
        if (worker->state == State::AtBarrier && worker->cta_index < next->cta_index) next = worker.get();
    }
  }
  if (!next) return finished_.release();
  const auto is_next = [&](const auto& one) { return one.get() == next; };
  current_ = static_cast<std::size_t>(std::find_if(workers_.begin(), workers_.end(), is_next) - workers_.begin());
  next->go.release();
}

bool Turns::give_way() {
  const std::size_t mine = current_;
  Worker* next = nullptr;
  if (machine_.order.patient) next = next_where([&](const Worker& one) { return one.state == State::Ready && !settled(one); });
  if (next) {
    switch_to(*next);
    return true;
  }
  if (begin_next()) next = workers_[std::exchange(current_, mine)].get();
  else next = next_ready(false);
  if (next) switch_to(*next);
  return next != nullptr;
}

void Turns::switch_to(Worker& other) {
  const std::size_t me = current_;
  const auto is_other = [&](const auto& one) { return one.get() == &other; };
  current_ = static_cast<std::size_t>(std::find_if(workers_.begin(), workers_.end(), is_other) - workers_.begin());
  other.go.release();
  workers_[me]->go.acquire();
  if (stopped_) throw Halt{};
}

void Turns::end_turn() {
  if (early_turns_ == most_early_turns) return;
  ++early_turns_;
  const std::size_t mine = current_;
  const std::uint64_t before = version_;
  if (Worker* next = next_ready(false)) switch_to(*next);
  else give_way();
  workers_[mine]->own_version += version_ - before;  // others wrote that
}

void Turns::wake() {
  if (early_turns_ == most_early_turns) return;
  const std::size_t mine = current_;
  Worker* next = next_where([](const Worker& one) { return one.state == State::Ready && one.alone > 0; });
  if (!next) return;
  ++early_turns_;
  const std::uint64_t before = version_;
  switch_to(*next);
  workers_[mine]->own_version += version_ - before;
}

// --- waiting ---

void Turns::end_of_round(const Instr& loop, bool apart) {
  Worker& me = *workers_[current_];
  const bool idle = me.version == version_, same = idle && me.loop == &loop;
  const bool wrote = me.own_version != version_;
  if (idle) me.cta->add_steps(steps_of_idle_round);
  me.alone = idle ? me.alone + 1 : 0;
  me.loop = &loop;
  me.apart = apart;
  if (!me.asked) me.question = nullptr;
  me.asked = false;
  if (!same) {
    me.idle = 0;
    me.stuck = false;
  } else {
    const bool looks = ++me.idle > 1 && (me.idle < 16 || me.idle % 16 < 2);
    const std::uint64_t memory = looks ? me.cta->hash_of_memory() : 0;
    me.stuck = looks && me.idle > 2 && memory == me.memory;
    me.memory = memory;
  }
  me.version = version_;
  me.own_version = version_;
  if (me.stuck && nobody_moves()) {
    report_wait();
    throw Halt{};
  }
  if (wrote && ++me.rounds % most_rounds != 0) return;
  if (machine_.order.patient && !wrote && !settled(me)) return;
  const std::size_t mine = current_;
  give_way();
  workers_[mine]->own_version = version_;
}

// Whether every CTA that is left goes round without end, or waits at the barrier for one that does, and none is left to begin.
bool Turns::nobody_moves() const {
  if (workers_.size() < most_live && next_wanted()) return false;
  return std::all_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
    return worker->state != State::Ready || (worker->stuck && worker->version == version_);
  });
}

void Turns::asked(const Instr& in, std::string element, std::string value) {
  Worker& me = *workers_[current_];
  me.asked = true;
  me.question = &in;
  me.element = std::move(element);
  me.value = std::move(value);
}

void Turns::report_wait() {
  const auto span_of = [](const Worker& worker) {
    if (worker.state == State::AtBarrier) return worker.barrier.op->span;
    return worker.question ? worker.question->op->span : worker.loop->control->header;
  };
  std::vector<const Worker*> waiting, all;
  for (const auto& worker : workers_) {
    if (worker->state == State::Ready) waiting.push_back(worker.get());
    if (worker->state != State::Free) all.push_back(worker.get());
  }
  const auto by_cta = [](const Worker* a, const Worker* b) { return a->cta_index < b->cta_index; };
  std::sort(waiting.begin(), waiting.end(), by_cta);
  std::sort(all.begin(), all.end(), by_cta);
  const auto wait_of = [&](const Worker& worker) {
    const bool asks = worker.question != nullptr;
    const std::string_view what = asks ? name_of(*worker.question->op) : "while";
    std::string why = worker.apart ? "it reads only what this CTA has written, whose other threads wait for its end" : "nothing that it reads will change";
    if (asks) why = fmt::format("`{}` stays {}, and {}", worker.element, worker.value,
                                all.size() == 1 ? "nobody is left to change it" : "every CTA that is left waits, too");
    else if (all.size() > 1 && !worker.apart) why = "what it reads stays as it is, and every CTA that is left waits, too";
    if (worker.state == State::AtBarrier) return diag::make(diag::Code::EndlessWait, {span_of(worker)}, "grid_barrier", fmt::format("block {} does not come to it", block_text(machine_.block_of(waiting.front()->cta_index))), block_text(machine_.block_of(worker.cta_index)));
    return diag::make(diag::Code::EndlessWait, {span_of(worker)}, what, why, block_text(machine_.block_of(worker.cta_index)));
  };
  const Worker& first = *waiting.front();
  diag::Diagnostic finding = wait_of(first);
  if (next_ < total_) {
    const std::string_view what = first.question ? name_of(*first.question->op) : "while";
    finding = diag::make(diag::Code::GridTooLarge, {span_of(first)}, what, most_live);
  }
  for (const Worker* worker : all)  // all of them wait, but only one is told
    if (worker->cta->watcher()) worker->cta->watcher()->found(wait_of(*worker));
  for (const Worker* worker : all)
    if (worker != &first && finding.related.size() < most_related)
      finding.related.push_back({{span_of(*worker)}, fmt::format("block {} waits here", block_text(machine_.block_of(worker->cta_index)))});
  machine_.report(first.cta_index, std::move(finding));
}

bool Turns::grid_barrier(const Machine::AtBarrier& here) {
  const std::size_t mine = current_;
  Worker& me = *workers_[mine];
  if (++arrived_[here.bar] == total_) {
    arrived_.clear();
    for (const auto& worker : workers_)
      if (worker->state == State::AtBarrier) worker->state = State::Ready;
    return true;
  }
  me.state = State::AtBarrier;
  me.barrier = here;
  if (!give_way()) {  // all others have ended or wait here
    dissolved_ = true;
    Worker* lowest = &me;
    for (const auto& worker : workers_)
      if (worker->state == State::AtBarrier && worker->cta_index < lowest->cta_index) lowest = worker.get();
    if (lowest != &me) switch_to(*lowest);
  }
  if (dissolved_)
    for (const auto& worker : workers_)
      if (worker->state == State::AtBarrier) machine_.note_barrier(worker->cta_index, worker->barrier);
  me.state = State::Ready;
  return !dissolved_;
}

}  // namespace phobos::sim
