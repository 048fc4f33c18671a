#include "runner.h"

#include <algorithm>

#include <fmt/format.h>

#include <phobos/launch/cache.h>
#include <phobos/launch/compare.h>
#include <phobos/launch/emulated.h>
#include <phobos/launch/grid.h>
#include <phobos/launch/npy.h>
#include <phobos/launch/tuned.h>
#include <phobos/launch/work.h>

#include "output.h"
#include "variants.h"
#include "watch.h"

namespace phobos::cli {
namespace {

// What a folder of outputs takes of one tensor.
constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

// Enough for any kernel that a person waits for; a loop without end takes seconds to get there.
constexpr std::int64_t default_max_steps = 100'000'000;
constexpr std::int64_t default_emulated_steps = 500'000'000;  // of all threads together

bool is_given(const std::vector<launch::Given>& arguments, const std::string& name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const launch::Given& given) { return given.name == name; });
}

bool is_written(const ir::Kernel& kernel, const std::string& name) {
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const ir::Parameter& parameter) {
    return parameter.name == name && parameter.type.is_buffer() && parameter.written;
  });
}

class Runner {
 public:
  Runner(const Source& source, const session::ItemView& kernel, const RunOptions& options, Devices& devices)
      : source_(source), view_(kernel), options_(options), request_(options.request), devices_(devices), choose_(options.choose) {
    report_.kernel = kernel.item().name.text;
  }

  RunReport run() {
    bool ran = prepare() && execute();
    if (!ran && fell_short_) {  // of what the model had for the fastest: what the source has first is compiled
      choose_ = RunOptions::Choose::First;
      RunReport fresh;
      fresh.kernel = std::move(report_.kernel);
      report_ = std::move(fresh);
      ran = prepare() && execute();
    }
    if (is_interruption(report_.exit)) return std::move(report_);
    if (request_.expect_error) expect_error();
    else if (ran) finish();
    if (request_.expect_warning && report_.status == RunReport::Status::Ok) expect_warning();
    if (request_.expect_print && report_.status == RunReport::Status::Ok) expect_print();
    return std::move(report_);
  }

 private:
  bool stop(int exit, std::string message) {
    report_.status = RunReport::Status::Error;
    report_.exit = exit;
    report_.message = std::move(message);
    return false;
  }

  bool stop(Stop&& why) {
    std::string reason = why.reason();
    for (diag::Diagnostic& diagnostic : why.diagnostics) report_.diagnostics.push_back(std::move(diagnostic));
    return stop(why.exit, std::move(reason));
  }

  bool prepare() {
    const QuickEnd quick;
    const LaunchCheck check = [&](const ir::Kernel& kernel, const launch::Grid& grid, double bytes) -> std::optional<Stop> {
      const std::string wanted = wanted_device();
      if (wanted != "sim" && (wanted != "auto" || *devices_.choose(wanted) != nullptr)) return std::nullopt;
      return check_simulated(kernel, grid, bytes, sim_options());
    };
    OrStop<Prepared> prepared = cli::prepare(source_, view_, request_, options_.folder, options_.out, check, lower::Purpose::Run,
                                             [&](const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions) { return chosen(kernel, dimensions); });
    if (Stop* why = std::get_if<Stop>(&prepared)) return stop(std::move(*why));
    Prepared& ready = std::get<Prepared>(prepared);
    kernel_ = std::move(ready.kernel);
    bound_ = std::move(ready.bound);
    report_.diagnostics = std::move(ready.diagnostics);
    report_.threads = kernel_.threads;
    report_.constants = kernel_.constants;
    report_.grid = ready.grid;
    return true;
  }

  // Constants that are not given: what `phobos tune` found fastest for such a launch on the GPU that it will be on, or what the model has for it.
  std::vector<launch::Given> chosen(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions) {
    const Result<Choices> choices = choices_of(view_, request_.arguments);
    if (kernel.constants.empty() || !choices) return {};
    const bool given = std::any_of(kernel.constants.begin(), kernel.constants.end(), [&](const auto& each) { return is_given(request_.arguments, each.first); });
    report_.chosen_by = given && choices->space.axes.empty() ? "given" : "default";
    const std::string wanted = wanted_device();
    const bool on_gpu = wanted == "auto" || wanted == "gpu", by_cost = choose_ == RunOptions::Choose::Cost;
    if (choices->space.axes.empty() || choose_ == RunOptions::Choose::First || (!on_gpu && !by_cost)) return {};
    const Result<device::Worker*> device = on_gpu ? devices_.choose(wanted) : Result<device::Worker*>(nullptr);
    if (!device || (*device == nullptr && !by_cost)) return {};
    const Result<std::string> chip = chip_for(options_.chip, *device);
    if (!chip) return {};
    if (*device != nullptr && options_.cache)
      if (const auto winner = launch::TuningStore::from_environment().winner(launch::winner_key(text_of_kernel(view_), *chip, choices->fixed, dimensions)))
        if (std::vector<launch::Given> won = constants_of(*winner, choices->space); !won.empty()) {
          report_.chosen_by = "tuned";
          report_.chosen = text_of(won);
          return won;
        }
    const auto best = cheapest(source_, view_, request_.arguments, choices->space, {*chip, *device == nullptr ? 0 : (*device)->info().multiprocessors, dimensions, request_.grid});
    if (!best) return {};
    report_.chosen_by = "cost";
    report_.chosen = text_of(best->constants);
    report_.estimated = best->milliseconds;
    report_.chosen_of = best->of;
    return best->constants;
  }

  // None where it is of other choices than the kernel has by now.
  static std::vector<launch::Given> constants_of(const launch::Winner& winner, const tune::Space& space) {
    std::vector<launch::Given> found;
    for (const tune::Axis& axis : space.axes) {
      const auto won = std::find_if(winner.constants.begin(), winner.constants.end(), [&](const auto& each) { return each.first == axis.name; });
      if (won == winner.constants.end() || std::find(axis.values.begin(), axis.values.end(), won->second) == axis.values.end()) return {};
      found.push_back({axis.name, std::to_string(won->second)});
    }
    return found;
  }

  std::string wanted_device() const { return options_.device == "auto" ? request_.device.value_or("auto") : options_.device; }

  bool execute() {
    const std::string wanted = wanted_device();
    if (wanted == "emulate") return watched([&] { return on_emulator(); });
    if (wanted != "auto" && wanted != "gpu" && wanted != "sim")
      return stop(exit_usage, fmt::format("`{}` is no device; auto, gpu, sim and emulate are", wanted));
    const Result<device::Worker*> device = devices_.choose(wanted);
    if (!device) return stop(exit_unavailable, device.message());
    report_.device = device_name(*device);
    if (options_.compare_with_simulator || options_.bench_repeats > 0) inputs_ = bound_;
    return *device == nullptr ? watched([&] { return on_simulator(); }) : on_gpu(**device);
  }

  // What runs on the CPU may be interrupted.
  template <class Run>
  bool watched(Run&& run) {
    Watch watch(options_.shows_progress, options_.progress);
    watch_ = &watch;
    const bool ran = run();
    watch_ = nullptr;
    watch.finish();
    if (!watch.interrupted()) return ran;
    const std::string done = ctas_ > 0 ? fmt::format(", {} of {} CTAs were done", ctas_done_, ctas_) : "";
    report_.diagnostics.clear();
    return stop(watch.exit_status(), fmt::format("interrupted after {:.1f} s{}", watch.seconds(), done));
  }

  sim::Options sim_options() const {
    sim::Options options;
#ifndef NDEBUG
    options.check_kinds = true;
#endif
    options.check_kinds = options.check_kinds || options_.check_kinds;
    options.checks = options_.checks;
    options.workers = options_.workers;
    options.most_prints = options_.most_prints;
    if (watch_) {
      options.stop = watch_->stop();
      options.progress = [watch = watch_](std::int64_t done, std::int64_t total) { watch->progress(done, total); };
    }
    options.step_budget = options_.max_steps.value_or(request_.max_steps.value_or(default_max_steps));
    return options;
  }

  bool on_simulator() {
    launch::Execution execution = launch::run_on_simulator(kernel_, bound_, *report_.grid, sim_options());
    report_.milliseconds = execution.milliseconds;
    ctas_done_ = execution.ctas_done;
    ctas_ = (*report_.grid)[0] * (*report_.grid)[1] * (*report_.grid)[2];
    report_.printed = std::move(execution.printed);
    if (!take_findings(std::move(execution))) return false;
    if (options_.bench_repeats == 0) return true;
    const Result<std::vector<double>> times =
        launch::bench_on_simulator(kernel_, inputs_, *report_.grid, options_.bench_repeats, sim_options());
    return take_times(times);
  }

  launch::GpuOptions gpu_options() const { return {options_.seconds, options_.checked, static_cast<std::size_t>(options_.most_prints)}; }

  nvptx::Options compile_options(std::string chip) const {
    nvptx::Options options;
    options.chip = std::move(chip);
    options.file = source_.name();
    options.source = source_.snapshot->text();
    options.checked = options_.checked;
    return options;
  }

  // What the GPU would run, on the CPU.
  bool on_emulator() {
    report_.device = "emulator";
    if (options_.bench_repeats > 0) return stop(exit_usage, "the emulator's time says nothing of a GPU's: it is not measured");
    const Result<std::string> chip = chip_for(options_.chip, nullptr);
    if (!chip) return stop(exit_usage, chip.message());
    if (options_.compare_with_simulator) inputs_ = bound_;
    emulate::Options emulation;
    emulation.step_budget = options_.max_steps.value_or(default_emulated_steps);  // a run line counts those of the simulator
    if (watch_) emulation.stop = watch_->stop();
    Result<launch::Execution> execution = launch::run_on_emulator(kernel_, compile_options(*chip), bound_, *report_.grid, emulation,
                                                                  static_cast<std::size_t>(options_.most_prints));
    if (!execution) return stop(exit_failed, execution.message());
    report_.milliseconds = execution->milliseconds;
    report_.printed = std::move(execution->printed);
    return take_findings(std::move(*execution));
  }

  bool not_compiled(const nvptx::Refusal& why) {
    fell_short_ = report_.chosen_by == "cost";
    return stop(stop_of(why));
  }

  bool on_gpu(device::Worker& device) {
    const Result<std::string> chip = chip_for(options_.chip, &device);
    if (!chip) return stop(exit_usage, chip.message());
    const nvptx::Options compile_options = this->compile_options(*chip);
    const nvptx::Outcome compiled =
        launch::compile(kernel_, compile_options, options_.cache ? launch::CodeCache::from_environment() : launch::CodeCache());
    if (!compiled) return not_compiled(compiled.error());
    Result<launch::Execution> execution = launch::run_on_gpu(device, kernel_, *compiled, compile_options, bound_, *report_.grid, gpu_options());
    if (!execution) return stop(exit_failed, execution.message());
    report_.printed = std::move(execution->printed);
    if (!take_findings(std::move(*execution))) return false;
    report_.milliseconds = execution->milliseconds;
    if (options_.bench_repeats == 0) return true;
    return take_times(launch::bench_on_gpu(device, kernel_, *compiled, inputs_, *report_.grid, options_.bench_repeats, gpu_options()));
  }

  bool take_times(const Result<std::vector<double>>& times) {
    if (!times) return stop(exit_failed, times.message());
    report_.bench = launch::timing_of(*times);
    report_.bytes = launch::bytes_moved(kernel_, bound_);
    report_.operations = launch::count_operations(kernel_, bound_.dimensions, *report_.grid);
    return true;
  }

  // False where they are errors, or the run was stopped.
  bool take_findings(launch::Execution execution) {
    const bool wrong = has_errors(execution.findings);
    std::string message = execution.finished ? "" : fmt::format("the {} stopped the kernel", report_.device);
    for (const diag::Diagnostic& finding : execution.findings)
      if (finding.severity == diag::Severity::Error) {
        message = finding.message;
        break;
      }
    for (diag::Diagnostic& finding : execution.findings) report_.diagnostics.push_back(std::move(finding));
    return execution.finished && !wrong ? true : stop(exit_failed, std::move(message));
  }

  void expect_error() {
    const std::string& wanted = *request_.expect_error;
    const bool failed = report_.status == RunReport::Status::Error;
    bool found = failed && report_.message.find(wanted) != std::string::npos;
    for (const diag::Diagnostic& diagnostic : report_.diagnostics)
      found = found || (diagnostic.severity == diag::Severity::Error && diagnostic.message.find(wanted) != std::string::npos);
    if (found) {
      report_.status = RunReport::Status::Ok;
      report_.exit = exit_done;
      report_.message.clear();
      return;
    }
    if (failed && report_.exit == exit_unavailable) return;
    report_.status = RunReport::Status::Failed;
    report_.exit = exit_failed;
    report_.message = failed ? fmt::format("expected an error saying \"{}\"; got: {}", wanted, report_.message)
                             : fmt::format("expected an error saying \"{}\"; there was none", wanted);
  }

  void expect_warning() {
    for (const diag::Diagnostic& diagnostic : report_.diagnostics)
      if (diagnostic.severity == diag::Severity::Warning && diagnostic.message.find(*request_.expect_warning) != std::string::npos) return;
    fail(fmt::format("expected a warning saying \"{}\"; there was none", *request_.expect_warning));
  }

  void expect_print() {
    for (const sim::Printed& line : report_.printed.lines)
      if (launch::line_text(line, kernel_.threads).find(*request_.expect_print) != std::string::npos) return;
    const std::size_t count = report_.printed.lines.size();
    const std::string got = count == 0 ? "nothing was printed" : fmt::format("got {} line{}, the first: {}", count, count == 1 ? "" : "s",
                                                                             launch::line_text(report_.printed.lines[0], kernel_.threads));
    fail(fmt::format("expected a printed line saying \"{}\"; {}", *request_.expect_print, got));
  }

  void finish() {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      launch::HostTensor* tensor = std::get_if<launch::HostTensor>(&bound_.arguments[p]);
      if (tensor != nullptr && kernel_.parameters[p].written)
        report_.outputs.emplace_back(kernel_.parameters[p].name, std::move(*tensor));
    }
    for (const auto& [name, tensor] : report_.outputs) keep(name + ".npy", tensor);
    for (const launch::Given& expectation : request_.expects) check_expectation(expectation);
    if (options_.compare_with_simulator && report_.status == RunReport::Status::Ok) compare_with_simulator();
    for (const launch::Given& out : options_.out) {
      const Result<void> written = launch::write_npy(out.value, *output(out.name));
      if (!written) stop(exit_failed, written.message());
    }
  }

  void keep(const std::string& file, const launch::HostTensor& tensor) {
    if (options_.out_folder.empty() || tensor.data.size() > most_kept_bytes) return;
    const Result<void> written = launch::write_npy(options_.out_folder / file, tensor);
    if (!written) stop(exit_failed, written.message());
  }

  const launch::HostTensor* output(const std::string& name) const {
    for (const auto& [output_name, tensor] : report_.outputs)
      if (output_name == name) return &tensor;
    return nullptr;
  }

  void fail(const std::string& message) {
    if (report_.status == RunReport::Status::Ok) report_.status = RunReport::Status::Failed;
    report_.exit = exit_failed;
    report_.message += (report_.message.empty() ? "" : "\n") + message;
  }

  void check_expectation(const launch::Given& expectation) {
    const launch::HostTensor& actual = *output(expectation.name);
    const Result<launch::HostTensor> expected = launch::read_npy(options_.folder / expectation.value);
    if (!expected) return fail(fmt::format("`{}`: {}", expectation.name, expected.message()));
    const launch::Comparison comparison =
        launch::compare(actual, *expected, launch::tolerance_for(actual, *expected, request_.rtol, request_.atol));
    if (!comparison.same) fail(fmt::format("`{}`: {}", expectation.name, comparison.message));
  }

  void compare_with_simulator() {
    if (report_.device == device_name(nullptr)) {
      report_.message = "the run was on the simulator itself: there is nothing to compare it with";
      return;
    }
    double bytes = 0;
    for (const launch::Argument& argument : inputs_.arguments)
      if (const auto* tensor = std::get_if<launch::HostTensor>(&argument)) bytes += static_cast<double>(tensor->data.size());
    if (std::optional<Stop> why = check_simulated(kernel_, *report_.grid, bytes, sim_options())) {
      stop(std::move(*why));
      return;
    }
    std::optional<launch::Execution> execution;
    watched([&] {
      execution = launch::run_on_simulator(kernel_, inputs_, *report_.grid, sim_options());
      return true;
    });
    if (is_interruption(report_.exit) || !take_findings(std::move(*execution))) return;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      const launch::HostTensor* expected = std::get_if<launch::HostTensor>(&inputs_.arguments[p]);
      if (expected == nullptr || !kernel_.parameters[p].written) continue;
      keep(kernel_.parameters[p].name + ".sim.npy", *expected);
      const launch::HostTensor& actual = *output(kernel_.parameters[p].name);
      const launch::Comparison comparison =
          launch::compare(actual, *expected, launch::tolerance_for(actual, *expected, request_.rtol, request_.atol));
      if (!comparison.same) fail(fmt::format("`{}` against the simulator: {}", kernel_.parameters[p].name, comparison.message));
    }
    if (report_.status == RunReport::Status::Ok) report_.message = "the simulator agrees";
  }

  const Source& source_;
  const session::ItemView& view_;
  const RunOptions& options_;
  const launch::Request& request_;
  Devices& devices_;
  RunReport report_;
  ir::Kernel kernel_;
  launch::Bound bound_;
  RunOptions::Choose choose_;
  bool fell_short_ = false;  // what was chosen by cost could not be compiled
  Watch* watch_ = nullptr;                    // of the run in progress
  std::int64_t ctas_ = 0, ctas_done_ = 0;
  launch::Bound inputs_;  // a copy from before the run, where it is needed again
};

}  // namespace

std::optional<Stop> check_simulated(const ir::Kernel& kernel, const launch::Grid& grid, double bytes, const sim::Options& options) {
  if (std::optional<diag::Diagnostic> finding = sim::too_many_to_wait(kernel, grid[0] * grid[1] * grid[2])) {
    return Stop{exit_failed, "", {std::move(*finding)}};
  }
  if (const Result<void> fits = launch::check_simulator(kernel, bytes, grid, options); !fits) return Stop{exit_failed, fits.message(), {}};
  return std::nullopt;
}

OrStop<Prepared> prepare(const Source& source, const session::ItemView& view, const launch::Request& request,
                         const std::filesystem::path& folder, const std::vector<launch::Given>& written, const LaunchCheck& check,
                         lower::Purpose purpose, const ConstantsFor& constants) {
  OrStop<LoweredKernel> lowered = lower_kernel(source, view, request.arguments, purpose);
  if (Stop* why = std::get_if<Stop>(&lowered)) return std::move(*why);
  LoweredKernel& kernel = std::get<LoweredKernel>(lowered);
  Prepared ready;
  ready.kernel = std::move(kernel.kernel);
  const auto refuse = [&](int exit, std::string message) { return Stop{exit, std::move(message), std::move(kernel.diagnostics)}; };
  for (const auto* names : {&request.expects, &written})
    for (const launch::Given& given : *names)
      if (!is_written(ready.kernel, given.name))
        return refuse(exit_usage, fmt::format("`{}` is no tensor that `{}` writes", given.name, ready.kernel.name));
  // What is expected is an output: it need not be given, even where the kernel also reads what it wrote.
  for (const launch::Given& expectation : request.expects)
    if (!is_given(kernel.arguments, expectation.name)) kernel.arguments.push_back({expectation.name, "zeros"});
  if (const Result<void> values = launch::check_values(ready.kernel, kernel.arguments, folder); !values)
    return refuse(exit_usage, values.message());
  std::optional<Stop> stop;
  std::vector<launch::Given> better;
  const auto fits = [&](const std::vector<std::int64_t>& dimensions, double bytes) -> Result<void> {
    if (constants && !(better = constants(ready.kernel, dimensions)).empty()) return Error{"with other constants"};
    const Result<launch::Grid> grid = request.grid ? Result<launch::Grid>(*request.grid) : launch::infer_grid(ready.kernel, dimensions);
    if (!grid) return grid.error();
    ready.grid = *grid;
    for (const auto limit : {launch::check_count, launch::check_grid})
      if (Result<void> within = limit(*grid); !within) return within;
    if (Result<void> flat = launch::check_barrier_grid(ready.kernel, *grid); !flat) return flat;
    if (!check || !(stop = check(ready.kernel, *grid, bytes))) return {};
    return Error{stop->message};
  };
  Result<launch::Bound> bound = launch::bind_arguments(ready.kernel, kernel.arguments, folder, fits);
  if (!better.empty()) {
    launch::Request other = request;
    other.arguments.insert(other.arguments.end(), better.begin(), better.end());
    return prepare(source, view, other, folder, written, check, purpose);
  }
  if (stop) {
    stop->diagnostics.insert(stop->diagnostics.begin(), kernel.diagnostics.begin(), kernel.diagnostics.end());
    return std::move(*stop);
  }
  if (!bound) return refuse(exit_failed, bound.message());
  ready.bound = std::move(*bound);
  if (const Result<void> barriers = launch::check_barriers(ready.kernel, ready.bound); !barriers) return refuse(exit_failed, barriers.message());
  ready.diagnostics = std::move(kernel.diagnostics);
  return ready;
}

Result<launch::Request> request_of(const std::vector<std::string>& words, std::size_t run_line, const std::string& grid,
                                   const Source& source, const session::ItemView& kernel, std::filesystem::path& folder) {
  launch::Request request;
  const std::vector<session::RunLine> lines = source.snapshot->run_lines(kernel);
  if (words.empty() && !lines.empty()) {
    if (run_line >= lines.size())
      return Error{fmt::format("`{}` has {} run lines; --run-line counts them from 0", kernel.item().name.text, lines.size())};
    Result<launch::Request> read = launch::parse_run_line(lines[run_line].text);
    if (!read) return Error{fmt::format("the run line of `{}`: {}", kernel.item().name.text, read.message())};
    request = std::move(*read);
    folder = source.folder();
  } else if (const Result<void> read = launch::parse_words(words, request); !read) {
    return read.error();
  }
  if (!grid.empty()) {
    const Result<launch::Grid> given = launch::parse_grid(grid);
    if (!given) return given.error();
    request.grid = *given;
  }
  return request;
}

RunReport run_kernel(const Source& source, const session::ItemView& kernel, const RunOptions& options, Devices& devices) {
  return Runner(source, kernel, options, devices).run();
}

}  // namespace phobos::cli
