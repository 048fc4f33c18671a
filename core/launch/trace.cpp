#include <phobos/launch/trace.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace phobos::launch {
namespace {

using Form = ir::Note::Form;

std::string event_of(diag::Code code) {
  switch (code) {
    case diag::Code::ThreadRace:
    case diag::Code::GridRace: return "race";
    case diag::Code::OutOfBounds: return "oob";
    case diag::Code::UnsetRead: return "unset";
    case diag::Code::IntegerDivisionByZero: return "division_by_zero";
    case diag::Code::StepBudget: return "steps";
    case diag::Code::GridTooLarge:
    case diag::Code::EndlessWait: return "endless_wait";
    case diag::Code::RangeStep: return "range_step";
    case diag::Code::BarrierTensor: return "barrier_tensor";
    case diag::Code::RacesNotSought: return "limit";
    case diag::Code::PlainWait: return "plain_wait";
    case diag::Code::ShiftCount: return "shift";
    case diag::Code::LossyConversion: return "conversion";
    default: return "fault";
  }
}

class Collector : public sim::Watcher {
 public:
  Collector(std::int64_t most, const std::function<void(TraceStep)>& take) : most_(most), take_(take) {}

  bool reached(const sim::Reached& mark) override {
    threads_ = mark.all_threads;
    TraceStep step;
    step.range = mark.op.span;
    step.block = mark.block;
    step.active = mark.threads;
    read(mark, step);
    if (mark.note.form == Form::Call && !printed_.empty()) step.event = "print";
    step.printed = std::exchange(printed_, {});
    tell_found(step);
    return emit(std::move(step));
  }

  void printed(const std::vector<sim::Printed>& lines) override { printed_.insert(printed_.end(), lines.begin(), lines.end()); }

  void found(const diag::Diagnostic& finding) override {
    if (told_.insert({finding.location.span.begin, finding.code}).second) found_.push_back(finding);
  }

  // A step of its own, for what no statement has come to tell: it was the last, or it is known at the end only.
  void end() {
    if (!found_.empty()) end(block_, active_);
  }
  void end(const std::array<std::int64_t, 3>& block, std::vector<int> active) {
    if (cut_) return;
    TraceStep step;
    step.range = found_.front().location.span;
    step.block = block;
    step.active = std::move(active);
    tell_found(step);
    emit(std::move(step));
  }

  bool tells(const diag::Diagnostic& finding) const { return told_.contains({finding.location.span.begin, finding.code}); }
  bool cut() const { return cut_; }

 private:
  // What was found since the last step.
  void tell_found(TraceStep& step) {
    for (const diag::Diagnostic& finding : found_) {
      if (step.message.empty()) step.event = event_of(finding.code);
      else step.message += '\n';
      step.message += finding.message;
    }
    step.found = std::exchange(found_, {});
  }

  bool emit(TraceStep step) {
    if (count_ == most_) {
      cut_ = true;
      return false;
    }
    step.number = count_++;
    active_ = step.active;
    block_ = step.block;
    take_(std::move(step));
    return true;
  }

  void read(const sim::Reached& mark, TraceStep& step) {
    const auto value = [&](std::size_t i) { return TraceWrite{i < mark.note.labels.size() ? mark.note.labels[i] : "", mark.values[i].kind, mark.values[i], {}}; };
    switch (mark.note.form) {
      case Form::Values:
        for (std::size_t i = 0; i < mark.values.size(); ++i) {
          step.writes.push_back(value(i));
          step.writes.back().kind = mark.note.kinds[i];
        }
        return;
      case Form::Stored: return stored(mark, step, 1, 2);
      case Form::Changed: return stored(mark, step, 2, 1);
      case Form::Condition:
        step.condition = value(0);
        if (differs(mark, [&](std::int64_t, int thread) { return integer(mark, 0, thread); })) step.event = "divergence";
        return;
      case Form::Loop: {
        const auto enters = [&](std::int64_t, int thread) { return static_cast<std::int64_t>(integer(mark, 0, thread) < integer(mark, 1, thread)); };
        if (differs(mark, enters)) step.event = "divergence";
        std::size_t count = 0;
        for (const int thread : mark.threads) count += enters(0, thread) != 0;
        rounds_[mark.op.span.begin] = count;
        return;
      }
      case Form::Round: {
        std::size_t& before = rounds_[mark.op.span.begin];
        if (mark.threads.size() < before) step.event = "divergence";
        before = mark.threads.size();
        step.writes.push_back(value(0));
        return;
      }
      case Form::Barrier: step.event = "barrier"; return;
      case Form::GridBarrier: step.event = "grid_barrier"; return;
      case Form::Leave:
        step.event = mark.note.labels.empty() ? "return" : mark.note.labels[0];
        if (!mark.values.empty()) step.writes.push_back(value(0));
        return;
      default: return;
    }
  }

  // The value is operand `what`, its place those from `from` on. Of a tile in memory all of it is told, too.
  void stored(const sim::Reached& mark, TraceStep& step, std::size_t what, std::size_t from) {
    TraceWrite write{mark.note.labels[0], mark.values[what].kind, mark.values[what], {}};
    for (std::size_t i = from; i < mark.values.size(); ++i) {
      if (i == what) continue;
      write.kind = join(write.kind, mark.values[i].kind);
      write.at.push_back(mark.values[i]);
    }
    const std::string tile = write.name.substr(0, write.name.find('['));
    step.writes.push_back(std::move(write));
    if (mark.values[0].rows > 0) step.writes.push_back({tile, Kind::Uniform, mark.values[0], {}});
  }

  static std::int64_t integer(const sim::Reached& mark, std::size_t value, int thread) {
    const sim::Seen& seen = mark.values[value];
    return seen.integers[static_cast<std::size_t>(seen.lane_of(thread, mark.all_threads))];
  }

  template <class F>
  static bool differs(const sim::Reached& mark, F&& of) {
    return std::any_of(mark.threads.begin(), mark.threads.end(), [&](int thread) { return of(0, thread) != of(0, mark.threads[0]); });
  }

  const std::int64_t most_;
  const std::function<void(TraceStep)>& take_;
  std::int64_t count_ = 0;
  bool cut_ = false;
  int threads_ = 0;
  std::map<std::uint32_t, std::size_t> rounds_;  // by the place of a loop: the threads of its last round
  std::vector<sim::Printed> printed_;            // since the last step
  std::vector<diag::Diagnostic> found_;          // and what was found
  std::set<std::pair<std::uint32_t, diag::Code>> told_;
  std::vector<int> active_;
  std::array<std::int64_t, 3> block_{};
};

}  // namespace

bool told_once(const TraceWrite& write) { return write.kind == Kind::Uniform; }

Trace trace(const ir::Kernel& kernel, Bound& bound, const Grid& grid, std::int64_t cta, std::int64_t most, sim::Options options,
            const std::function<void(TraceStep)>& take) {
  Collector collector(most, take);
  options.watcher = &collector;
  options.watched_cta = cta;
  Execution execution = run_on_simulator(kernel, bound, grid, options);
  Trace made;
  made.threads = kernel.threads;
  made.cut = collector.cut();
  collector.end();
  // What another CTA found, and what is known at the end only: races between CTAs, warnings.
  for (const diag::Diagnostic& finding : execution.findings) {
    if (collector.tells(finding)) continue;
    collector.found(finding);
    const std::int64_t found_by = execution.finding_cta;
    if (found_by < 0 || found_by == cta) collector.end();
    else collector.end({found_by % grid[0], found_by / grid[0] % grid[1], found_by / grid[0] / grid[1]}, {});
  }
  made.cut = collector.cut();
  made.finished = execution.finished;
  made.findings = std::move(execution.findings);
  return made;
}

}  // namespace phobos::launch
