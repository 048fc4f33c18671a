// CTAs on a pool of workers, handed out in order. Where all wait for all at a grid barrier every one gets a thread of its own; where
// one may see what another has written while it runs they take turns (turns.h).
#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "cta.h"
#include "turns.h"

namespace phobos::sim {
namespace {

constexpr std::int64_t most_live = 1024;
constexpr std::int64_t most_opposite = 128;      // CTAs that are run in several orders
constexpr std::int64_t most_copied = 64 << 20;   // bytes of tensors, for that
constexpr Order other_orders[] = {
    {true, true, false, "the last blocks run first, and change at each acquire, release and atomic"},
    {true, false, true, "the last blocks run first, each until it waits in vain"},
    {false, false, true, "each block runs until it waits in vain, and goes on as soon as it need not"},
};

#ifdef NDEBUG
constexpr bool always_check = false;
#else
constexpr bool always_check = true;
#endif

class Pool {
 public:
  explicit Pool(Machine& machine) : machine_(machine), total_(machine.ctas()) {
    if (std::gcd(machine.options.stride, total_) == 1) stride_ = machine.options.stride % total_;
  }

  std::int64_t done() const { return done_; }

  // One CTA alone.
  bool run_only(std::int64_t index) {
    Cta cta(machine_);
    one(cta, index);
    return done_ == 1;
  }

  bool run(std::int64_t workers) {
    std::vector<std::jthread> threads;
    try {
      for (std::int64_t i = 1; i < std::min(workers, total_); ++i) threads.emplace_back([this] { work(); });
      work();
    } catch (...) {
      fail();  // no more threads to be had; those that wait for them are let go
    }
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
    return done_ == total_;
  }

 private:
  void work() {
    try {
      Cta cta(machine_);
      for (std::int64_t i = next_++; i < total_; i = next_++) {
        const std::int64_t index = i * stride_ % total_;
        if (machine_.wanted(index)) one(cta, index);
        else if (stride_ == 1) break;  // nor are those behind it
      }
    } catch (...) {
      fail();
    }
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = total_;
    machine_.stop();
  }

  void one(Cta& cta, std::int64_t index) {
    try {
      cta.run(index);
    } catch (const Halt&) {
      return machine_.cta_ended(true, cta);
    }
    machine_.cta_ended(false, cta);
    const std::int64_t done = ++done_;
    const std::int64_t every = std::max<std::int64_t>(1, total_ / 1000);
    if (machine_.options.progress && (done % every == 0 || done == total_)) machine_.options.progress(done, total_);
  }

  Machine& machine_;
  const std::int64_t total_;
  std::int64_t stride_ = 1;
  std::atomic<std::int64_t> next_{0}, done_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

std::int64_t workers_for(const Plan& plan, std::int64_t total, const Options& options) {
  if (plan.barriers) return total;
  if (options.workers > 0) return options.workers;
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

std::optional<diag::Diagnostic> too_many_to_wait(const ir::Kernel& kernel, std::int64_t ctas) {
  std::optional<Span> first;
  for (const ir::Op& op : kernel.ops)
    if (op.code == ir::Opcode::GridBarrier && (!first || op.span.begin < first->begin)) first = op.span;
  if (!first || ctas <= most_live) return std::nullopt;
  return diag::make(diag::Code::GridTooLarge, {*first}, "grid_barrier", most_live);
}

double memory_beside_tensors(const ir::Kernel& kernel, std::int64_t ctas, const Options& options) {
  const Plan plan = make_plan(kernel, options.check_kinds || always_check, options.checks, ctas > 1);
  const std::size_t threads = static_cast<std::size_t>(kernel.threads);
  const std::size_t each = plan.frame_bytes + plan.shared_bytes + threads * static_cast<std::size_t>(plan.longest_run) * 32 +
                           threads * (static_cast<std::size_t>(plan.masks) + 1);
  const std::int64_t live = std::min(ctas, plan.turns && !plan.waits ? 1 : plan.turns ? most_live : workers_for(plan, ctas, options));
  return static_cast<double>(each) * static_cast<double>(live);
}

bool may_wait(const ir::Kernel& kernel) { return make_plan(kernel, false, false, true).waits; }

namespace {

// `in_turns`: one CTA at a time, even where they do not depend on each other.
Outcome run_once(const Plan& plan, const Launch& launch, const Options& options, const Order& order, bool in_turns) {
  Outcome outcome;
  const std::int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
  Machine machine(plan, launch, options);
  machine.order = order;
  if (in_turns) {
    Turns turns(machine);
    machine.turns = &turns;
    outcome.finished = turns.run();
    outcome.ctas_done = turns.done();
  } else {
    Pool pool(machine);
    outcome.finished = options.watcher && !plan.barriers ? pool.run_only(options.watched_cta) : pool.run(workers_for(plan, total, options));
    outcome.ctas_done = pool.done();
  }
  machine.tell_prints(outcome);
  outcome.finding_cta = machine.finding_cta();
  outcome.findings = machine.take_findings();
  for (const diag::Diagnostic& finding : outcome.findings) outcome.finished &= finding.severity != diag::Severity::Error;
  return outcome;
}

// The tensors of a launch as they are, for other runs.
class Copies {
 public:
  // Of all, or only of those that are both read and written.
  Copies(const ir::Kernel& kernel, const Launch& launch, bool all) : launch_(launch) {
    each(kernel, launch, all, [&](const Tensor& tensor, std::int64_t bytes) {
      from_.push_back(tensor.data);
      kept_.emplace_back(tensor.data, tensor.data + bytes);
    });
  }
  static std::int64_t bytes(const ir::Kernel& kernel, const Launch& launch, bool all) {
    std::int64_t sum = 0;
    each(kernel, launch, all, [&](const Tensor&, std::int64_t bytes) { sum += bytes; });
    return sum;
  }
  // Of all tensors as they were; until it is called again.
  const Launch& launch() {
    used_ = kept_;
    std::size_t next = 0;
    for (Argument& argument : launch_.arguments)
      if (Tensor* tensor = std::get_if<Tensor>(&argument)) tensor->data = used_[next++].data();
    return launch_;
  }
  void restore() const {
    for (std::size_t i = 0; i < kept_.size(); ++i) std::copy(kept_[i].begin(), kept_[i].end(), from_[i]);
  }

 private:
  template <class F>
  static void each(const ir::Kernel& kernel, const Launch& launch, bool all, F&& f) {
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const Tensor* tensor = std::get_if<Tensor>(&launch.arguments[i]);
      if (!tensor || (!all && !(kernel.parameters[i].read && kernel.parameters[i].written))) continue;
      std::int64_t bytes = size_of(kernel.parameters[i].type.element);
      for (const std::int64_t extent : tensor->shape) bytes *= extent;
      f(*tensor, bytes);
    }
  }

  Launch launch_;
  std::vector<std::byte*> from_;
  std::vector<std::vector<std::byte>> kept_, used_;
};

// What CTAs do that order themselves depends on which comes first. So they run again, in another order.
void run_again(const Plan& plan, const Launch& launch, const Options& options, const Order& order, Outcome& outcome) {
  Options again = options;
  again.most_prints = 0;
  again.progress = nullptr;
  Outcome other = run_once(plan, launch, again, order, true);
  for (diag::Diagnostic& finding : other.findings) {
    if (finding.severity != diag::Severity::Error || finding.code == diag::Code::StepBudget || finding.code == diag::Code::GridTooLarge) continue;
    finding.related.push_back({finding.location, fmt::format("found where {}", order.words)});
    outcome.findings.push_back(std::move(finding));
    outcome.finished = false;
    outcome.finding_cta = other.finding_cta;
  }
}

}  // namespace

Outcome run(const ir::Kernel& kernel, const Launch& launch, const Options& options) {
  Outcome outcome;
  const std::int64_t total = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const Plan plan = make_plan(kernel, options.check_kinds || always_check, options.checks, total > 1);
  if (total <= 0) return outcome;
  if (std::optional<diag::Diagnostic> finding = too_many_to_wait(kernel, total)) {
    outcome.finished = false;
    outcome.findings.push_back(std::move(*finding));
    return outcome;
  }
  const bool side_by_side = !plan.turns && (plan.barriers || workers_for(plan, total, options) > 1);
  const bool in_other_orders = plan.turns && total <= most_opposite;
  const bool twice = plan.checks && total > 1 && !options.watcher && (in_other_orders || side_by_side) &&
                     Copies::bytes(kernel, launch, in_other_orders) <= most_copied;
  if (!twice) return run_once(plan, launch, options, {}, plan.turns);
  Copies copies(kernel, launch, in_other_orders);
  outcome = run_once(plan, launch, options, {}, plan.turns);
  if (side_by_side) {
    // What CTAs side by side have seen of each other was chance, and so is what was found of that. It is told of one after the other.
    // Where something is wrong no results are told, so that tensors that are not read need not be as they were.
    const bool wrong = std::any_of(outcome.findings.begin(), outcome.findings.end(), [](const diag::Diagnostic& one) { return one.severity == diag::Severity::Error; });
    if (!wrong || options.stop.stop_requested()) return outcome;
    copies.restore();
    return run_once(plan, launch, options, {}, true);
  }
  for (const Order& order : other_orders) {
    if (!outcome.finished || (order.patient && !plan.waits)) break;
    run_again(plan, copies.launch(), options, order, outcome);
  }
  return outcome;
}

}  // namespace phobos::sim
