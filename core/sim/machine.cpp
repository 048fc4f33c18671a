// What CTAs share: where they wait for each other, and what was found.
//
// Findings do not depend on how many workers there are. Those of the CTA of lowest number that has any are told, and it is always
// the same one, since the CTAs before one with a finding are run to their end. What two CTAs did to each other is told of a run
// that got to its end.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cta.h"
#include "findings.h"

namespace phobos::sim {
namespace {

constexpr std::size_t most_findings = 20;
constexpr std::int64_t most_clocks = 2048;  // CTAs that know of each other how far they have got

}  // namespace

Machine::Machine(const Plan& plan, const Launch& launch, const Options& options) : plan(plan), launch(launch), options(options) {
  const std::vector<std::int64_t> watched = counts(watch_grid);
  const std::vector<std::int64_t> changed = counts(watch_change);
  const auto some = [](const std::vector<std::int64_t>& all) { return std::any_of(all.begin(), all.end(), [](std::int64_t count) { return count > 0; }); };
  const bool any = some(watched) || some(changed);
  if (any && plan.acquires && ctas() > most_clocks) {
    const auto first = std::find_if(plan.kernel->ops.begin(), plan.kernel->ops.end(), [](const ir::Op& op) { return op.code == ir::Opcode::LoadAcquire; });
    remark(diag::make(diag::Code::RacesNotSought, {first->span}, most_clocks));
  } else if (any) grid_shadow_ = std::make_unique<GridShadow>(watched, changed, ctas(), plan.acquires);
}

std::vector<std::int64_t> Machine::extents_of(int buffer) const {
  const ir::Value& value = (*plan.kernel)[plan.watched[static_cast<std::size_t>(buffer)].value];
  if (value.type.space == ir::Type::Space::Shared) return value.type.shape;
  return std::get<Tensor>(launch.arguments[value.index]).shape;
}

std::vector<std::int64_t> Machine::counts(Watch watch) const {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < plan.watched.size(); ++i) {
    std::int64_t count = (plan.watched[i].watch & watch) != 0;
    if (count)
      for (const std::int64_t extent : extents_of(static_cast<int>(i))) count *= extent;
    counts.push_back(count);
  }
  return counts;
}

void Machine::report(std::int64_t cta, diag::Diagnostic finding) {
  const std::lock_guard lock(mutex_);
  if (cta > finding_cta_) return;
  if (cta < finding_cta_) findings_.clear();
  finding_cta_ = cta;
  const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const diag::Diagnostic& one) {
    return one.code == finding.code && one.location == finding.location;
  });
  if (!known && findings_.size() < most_findings) findings_.push_back(std::move(finding));
}

void Machine::remark(diag::Diagnostic warning) {
  const std::lock_guard lock(mutex_);
  const bool known = std::any_of(remarks_.begin(), remarks_.end(), [&](const diag::Diagnostic& one) {
    return one.code == warning.code && one.location == warning.location;
  });
  if (!known) remarks_.push_back(std::move(warning));
}

void Machine::stop() { last_ = -1; }

void Machine::note_barrier(std::int64_t cta, const AtBarrier& here) {
  const std::lock_guard lock(mutex_);
  at_barrier_[cta] = here;
}

std::pair<std::int64_t, const ir::Op*> Machine::at_other_barrier(const AtBarrier& here) {
  const std::lock_guard lock(mutex_);
  for (const auto& [cta, other] : at_barrier_)
    if (other.bar != here.bar) return {cta, other.op};
  return {-1, nullptr};
}

bool Machine::grid_barrier(std::int64_t cta, const AtBarrier& here) {
  std::unique_lock lock(mutex_);
  const std::int64_t round = round_;
  at_barrier_[cta] = here;
  ++waiting_;
  if (++arrived_[here.bar] == ctas()) {
    waiting_ = 0;
    arrived_.clear();
    at_barrier_.clear();
    ++round_;
    turn_.notify_all();
    return true;
  }
  while (round_ == round) {
    check(cta);
    // All that still run wait here: those that have ended will not come.
    if (!dissolved_ && waiting_ + ended_ == ctas()) {
      dissolved_ = true;
      turn_.notify_all();
    }
    if (dissolved_ && halted_ > 0) throw Halt{};
    if (dissolved_) return false;
    turn_.wait_for(lock, std::chrono::milliseconds(20));
  }
  return true;
}

void Machine::cta_ended(bool halted, const Cta& cta) {
  const std::lock_guard lock(mutex_);
  if (!halted && (ended_first_.cta < 0 || cta.index() < ended_first_.cta)) ended_first_ = {cta.index(), cta.returned()};
  ++ended_;
  cut_off_ |= halted;
  // What was found has ended it, so it is no use to go on with those behind it.
  if (halted && cta.index() == finding_cta_ && !plan.waits) last_ = std::min(last_.load(), cta.index());
  halted_ += halted && !dissolved_;
  turn_.notify_all();
}

Machine::Ended Machine::first_ended() {
  const std::lock_guard lock(mutex_);
  return ended_first_;
}

void Machine::take_warnings(Warnings& warnings) {
  if (warnings.empty()) return;
  const std::lock_guard lock(mutex_);
  warnings_.merge(warnings);
  warnings.clear();
}

void Machine::take_prints(std::int64_t cta, Prints prints) {
  if (prints.executed == 0) return;
  const std::lock_guard lock(mutex_);
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(options.most_prints, 0));
  kept_lines_ += prints.lines.size();
  prints_.emplace(cta, std::move(prints));
  // What the CTAs before it have printed is enough.
  for (auto last = prints_.rbegin(); last != prints_.rend(); ++last) {
    const std::size_t own = last->second.lines.size();
    if (kept_lines_ - own < most) {
      if (kept_lines_ >= most) last_heard_ = std::min(last_heard_.load(), last->first);
      break;
    }
    kept_lines_ -= own;
    last->second.lines = {};
    last->second.ends = {};
  }
}

// In the order of the CTAs. Those behind one with a finding may have run or not.
void Machine::tell_prints(Outcome& outcome) {
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(options.most_prints, 0));
  for (auto& [cta, prints] : prints_) {
    if (cta > finding_cta_ && !plan.waits) break;
    const std::size_t room = std::min(most - outcome.prints.size(), prints.lines.size());
    const auto whole = std::upper_bound(prints.ends.begin(), prints.ends.end(), room) - prints.ends.begin();
    outcome.prints_left_out += prints.executed - whole;
    for (std::size_t i = 0; i < room; ++i) outcome.prints.push_back(std::move(prints.lines[i]));
  }
}

std::vector<diag::Diagnostic> Machine::take_findings() {
  const auto by_place = [](const diag::Diagnostic& a, const diag::Diagnostic& b) {
    return std::pair(a.location.span.begin, a.location.span.end) < std::pair(b.location.span.begin, b.location.span.end);
  };
  if (!cut_off_ && grid_shadow_ && !options.stop.stop_requested()) {
    const auto own = static_cast<std::ptrdiff_t>(findings_.size());
    for (const GridRace& race : grid_shadow_->races())
      if (findings_.size() < most_findings) findings_.push_back(grid_race(*this, race));
    std::stable_sort(findings_.begin() + own, findings_.end(), by_place);
  }
  const bool complete = findings_.empty() && !options.stop.stop_requested();
  if (complete) {
    findings_ = warnings_.tell([&](std::int64_t cta) { return block_text(block_of(cta)); });
    findings_.insert(findings_.end(), remarks_.begin(), remarks_.end());
    std::stable_sort(findings_.begin(), findings_.end(), by_place);
  }
  if (findings_.size() > most_findings) findings_.resize(most_findings, findings_.front());
  return std::move(findings_);
}

}  // namespace phobos::sim
