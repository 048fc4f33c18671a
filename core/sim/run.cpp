// CTAs on a pool of workers, handed out in order. Where CTAs may wait for each other every one gets a thread of its own, so that
// whom it waits for is running too.
#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "cta.h"

namespace phobos::sim {
namespace {

constexpr std::size_t most_findings = 20;
constexpr std::int64_t most_live = 1024;

#ifdef NDEBUG
constexpr bool always_check = false;
#else
constexpr bool always_check = true;
#endif

class Pool {
 public:
  explicit Pool(Machine& machine) : machine_(machine), total_(machine.ctas()) {}

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
      for (std::int64_t i = next_++; i < total_ && machine_.wanted(i); i = next_++) one(cta, i);
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
      return machine_.cta_ended();
    }
    machine_.cta_ended();
    const std::int64_t done = ++done_;
    const std::int64_t every = std::max<std::int64_t>(1, total_ / 1000);
    if (machine_.options.progress && (done % every == 0 || done == total_)) machine_.options.progress(done, total_);
  }

  Machine& machine_;
  const std::int64_t total_;
  std::atomic<std::int64_t> next_{0}, done_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

std::int64_t workers_for(const Plan& plan, std::int64_t total, const Options& options) {
  if (plan.waits && total <= most_live) return total;
  if (options.workers > 0) return options.workers;
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

void Machine::report(std::int64_t cta, diag::Diagnostic finding) {
  const std::lock_guard lock(mutex_);
  if (cta > finding_cta_) return;
  if (cta < finding_cta_) findings_.clear();
  finding_cta_ = cta;
  const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const diag::Diagnostic& one) {
    return one.code == finding.code && one.location == finding.location;
  });
  if (!known && findings_.size() < most_findings) findings_.push_back(std::move(finding));
  last_ = plan.waits ? -1 : cta;
  turn_.notify_all();
}

void Machine::stop() { last_ = -1; }

bool Machine::grid_barrier(std::int64_t cta) {
  std::unique_lock lock(mutex_);
  const std::int64_t round = round_;
  if (++waiting_ == ctas()) {
    waiting_ = 0;
    ++round_;
    turn_.notify_all();
    return true;
  }
  while (round_ == round) {
    check(cta);
    if (ended_ > 0) return false;
    turn_.wait_for(lock, std::chrono::milliseconds(20));
  }
  return true;
}

void Machine::cta_ended() {
  const std::lock_guard lock(mutex_);
  ++ended_;
  turn_.notify_all();
}

std::vector<diag::Diagnostic> Machine::take_findings() { return std::move(findings_); }

Outcome run(const ir::Kernel& kernel, const Launch& launch, const Options& options) {
  Outcome outcome;
  const Plan plan = make_plan(kernel, options.check_kinds || always_check);
  Machine machine(plan, launch, options);
  const std::int64_t total = machine.ctas();
  if (total <= 0) return outcome;
  if (plan.barriers && total > most_live) {
    outcome.finished = false;
    outcome.findings.push_back(diag::make(diag::Code::NotYet, {}, "a grid barrier across more than 1024 CTAs"));
    return outcome;
  }
  outcome.finished = Pool(machine).run(workers_for(plan, total, options));
  outcome.findings = machine.take_findings();
  return outcome;
}

}  // namespace phobos::sim
