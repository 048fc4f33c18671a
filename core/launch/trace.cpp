#include <phobos/launch/trace.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <phobos/support/number.h>

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
  Collector(const ir::Kernel& kernel, const TraceLimits& limits, const std::function<void(TraceStep)>& take)
      : kernel_(kernel), limits_(limits), take_(take) {}

  std::int64_t most_elements() const override { return limits_.elements; }

  bool reached(const sim::Reached& mark) override {
    threads_ = mark.all_threads;
    TraceStep step;
    step.range = mark.op.span;
    step.call = mark.op.call;
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
    for (const TraceWrite& write : step.writes) bytes_ += bytes_of(write.value);
    if (count_ == limits_.steps || bytes_ > limits_.bytes) {
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
    const auto value = [&](std::size_t i) { return TraceWrite{i < mark.note.labels.size() ? mark.note.labels[i] : "", mark.values[i].kind, mark.values[i], {}, -1}; };
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
    TraceWrite write{mark.note.labels[0], mark.values[what].kind, mark.values[what], {}, parameter_of(mark.op.operands[0])};
    for (std::size_t i = from; i < mark.values.size(); ++i) {
      if (i == what) continue;
      write.kind = join(write.kind, mark.values[i].kind);
      write.at.push_back(mark.values[i]);
    }
    const std::string tile = write.name.substr(0, write.name.find('['));
    step.writes.push_back(std::move(write));
    if (mark.values[0].rows > 0) step.writes.push_back({tile, Kind::Uniform, mark.values[0], {}, -1});
  }

  int parameter_of(ir::ValueId buffer) const {
    const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
    const auto end = arguments.begin() + static_cast<std::ptrdiff_t>(kernel_.parameters.size());
    const auto found = std::find(arguments.begin(), end, buffer);
    return found == end ? -1 : static_cast<int>(found - arguments.begin());
  }

  static std::size_t bytes_of(const sim::Seen& value) { return value.reals.size() * 8 + value.integers.size() * 8 + value.unset.size(); }

  static std::int64_t integer(const sim::Reached& mark, std::size_t value, int thread) {
    const sim::Seen& seen = mark.values[value];
    return seen.integers[static_cast<std::size_t>(seen.lane_of(thread, mark.all_threads))];
  }

  template <class F>
  static bool differs(const sim::Reached& mark, F&& of) {
    return std::any_of(mark.threads.begin(), mark.threads.end(), [&](int thread) { return of(0, thread) != of(0, mark.threads[0]); });
  }

  const ir::Kernel& kernel_;
  const TraceLimits limits_;
  const std::function<void(TraceStep)>& take_;
  std::int64_t count_ = 0;
  std::size_t bytes_ = 0;  // of the values
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

Result<std::int64_t> cta_of(const std::string& text, const Grid& grid) {
  Grid block{0, 0, 0};
  std::string_view rest = text;
  std::size_t axis = 0;
  for (bool more = !text.empty(); more; ++axis) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    const std::optional<std::int64_t> number = parse_integer(word);
    if (axis == 3 || !number || *number < 0) return Error{fmt::format("--block is X, X,Y or X,Y,Z, each from 0, not `{}`", text)};
    block[axis] = *number;
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (block[i] >= grid[i])
      return Error{fmt::format("there is no block ({}, {}, {}): the grid is {} x {} x {}", block[0], block[1], block[2], grid[0], grid[1], grid[2])};
  return block[0] + grid[0] * (block[1] + grid[1] * block[2]);
}

bool told_once(const TraceWrite& write) { return write.kind == Kind::Uniform; }

Trace trace(const ir::Kernel& kernel, Bound& bound, const Grid& grid, std::int64_t cta, const TraceLimits& limits, sim::Options options,
            const std::function<void(TraceStep)>& take) {
  Collector collector(kernel, limits, take);
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
