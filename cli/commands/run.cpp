#include <unistd.h>

#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <phobos/launch/summary.h>

#include "../output.h"
#include "../runner.h"
#include "commands.h"

namespace phobos::cli {
namespace {

constexpr std::int64_t shown_elements = 8;

struct Arguments : Options {
  Host* host = nullptr;
  bool checked = false;
  double seconds = 60;
  std::string file;
  std::vector<std::string> words;
  std::string kernel, grid, compare, out_folder, choose;
  std::vector<std::string> out;
  std::optional<double> rtol, atol;
  std::size_t run_line = 0;
  bool bench = false;
  int repeats = 20;
  bool check_kinds = false, no_checks = false;
  int workers = 0;
  std::optional<std::int64_t> max_steps;
  std::int64_t max_prints = 1000;
};

std::string type_text(const launch::HostTensor& tensor) { return fmt::format("{}{}", name_of(tensor.element), launch::shape_text(tensor.shape)); }

Json element_json(const launch::HostTensor& tensor, std::int64_t index) {
  if (is_float(tensor.element)) return number_json(tensor.real_at(index));
  if (tensor.element == ScalarType::Bool) return tensor.integer_at(index) != 0;
  return tensor.integer_at(index);
}

Json output_json(const std::string& name, const launch::HostTensor& tensor) {
  const launch::Summary summary = launch::summarise(tensor);
  Json first = Json::array();
  for (std::int64_t i = 0; i < std::min(tensor.count(), shown_elements); ++i) first.push_back(element_json(tensor, i));
  const auto statistic = [&](double value) { return summary.counted == 0 ? Json(nullptr) : number_json(value); };
  return {{"name", name}, {"type", name_of(tensor.element)}, {"shape", tensor.shape}, {"min", statistic(summary.min)},
          {"max", statistic(summary.max)}, {"mean", statistic(summary.mean)}, {"nan", summary.nan}, {"first", std::move(first)}};
}

std::uint32_t line_of(const Source& source, Span place) { return source.snapshot->lines().line_of(place.begin) + 1; }

Json prints_json(const Source& source, const RunReport& report) {
  Json list = Json::array();
  for (const sim::Printed& line : report.printed.lines) {
    Json lanes = Json::array();
    for (int thread = 0; line.threads.empty() && thread < report.threads; ++thread) lanes.push_back(thread);
    for (const int thread : line.threads) lanes.push_back(thread);
    list.push_back({{"file", source.path}, {"line", line_of(source, line.place)}, {"range", range_json(source, line.place)},
                    {"block", line.block}, {"lanes", std::move(lanes)}, {"text", line.text}});
  }
  return list;
}

void put_prints(const Source& source, const RunReport& report) {
  for (const sim::Printed& line : report.printed.lines)
    put(fmt::format("{}:{}: {}\n", source.name(), line_of(source, line.place), launch::line_text(line, report.threads)));
  if (report.printed.left_out == 0) return;
  put(fmt::format("{} lines are shown, and {} more `print`s were left out; --max-prints sets how many lines are kept\n",
                  report.printed.lines.size(), report.printed.left_out));
}

void put_report_json(const Source* source, const RunReport& report) {
  Json outputs = Json::array();
  for (const auto& [name, tensor] : report.outputs) outputs.push_back(output_json(name, tensor));
  Json json = {{"kernel", report.kernel},
               {"device", report.device},
               {"grid", report.grid ? Json(*report.grid) : Json::array()},
               {"ms", report.milliseconds ? Json(*report.milliseconds) : Json(nullptr)},
               {"outputs", std::move(outputs)},
               {"prints", source != nullptr ? prints_json(*source, report) : Json::array()},
               {"prints_left_out", report.printed.left_out},
               {"status", report.status == RunReport::Status::Ok ? "ok" : "failed"},
               {"message", report.message},
               {"diagnostics", source != nullptr ? diagnostics_json(*source, report.diagnostics) : Json::array()}};
  if (!report.chosen_by.empty()) {
    Json constants = Json::object();
    for (const auto& [name, value] : report.constants) constants[name] = value;
    json["constants"] = std::move(constants);
    json["chosen_by"] = report.chosen_by;
  }
  if (report.chosen_by == "tuned") json["tuned"] = report.chosen;
  if (report.estimated) json["estimated_ms"] = *report.estimated;
  if (report.bench)
    json["bench"] = {{"median_ms", report.bench->median}, {"low_ms", report.bench->low}, {"high_ms", report.bench->high},
                     {"bytes", report.bytes}, {"operations", report.operations}};
  put_json(json);
}

void put_outputs(const RunReport& report) {
  for (const auto& [name, tensor] : report.outputs) {
    const launch::Summary summary = launch::summarise(tensor);
    std::string line = fmt::format("  {}: {}", name, type_text(tensor));
    const auto mean = std::isnan(summary.mean) ? "nan" : fmt::format("{:.6g}", summary.mean);  // of both infinities
    if (summary.counted != 0) line += fmt::format("  min {:.6g}  max {:.6g}  mean {}", summary.min, summary.max, mean);
    if (summary.nan != 0) line += fmt::format("  NaN {}", summary.nan);
    put(line + "\n");
    std::string first;
    for (std::int64_t i = 0; i < std::min(tensor.count(), shown_elements); ++i) first += ' ' + launch::element_text(tensor, i);
    if (tensor.count() > shown_elements) first += " ...";
    put(fmt::format("   {}\n", first));
  }
}

void put_bench(const RunReport& report) {
  const launch::Timing& timing = *report.bench;
  put(fmt::format("  median {:.4g} ms (quartiles {:.4g} to {:.4g})", timing.median, timing.low, timing.high));
  if (timing.median > 0)
    put(fmt::format(", {:.4g} GB/s, {:.4g} GFLOP/s", report.bytes / timing.median * 1e-6, report.operations / timing.median * 1e-6));
  put("\n");
}

void put_report_text(const Source& source, const RunReport& report, const Arguments& arguments, bool expects) {
  const bool ran = report.status != RunReport::Status::Error;
  put_prints(source, report);
  std::vector<diag::Diagnostic> shown = report.diagnostics;
  if (!arguments.verbose) std::erase_if(shown, [](const diag::Diagnostic& d) { return d.severity > diag::Severity::Warning; });
  const std::string diagnostics = diagnostics_text(source, shown, use_color(arguments, STDERR_FILENO));
  std::fflush(stdout);
  std::fputs(diagnostics.c_str(), stderr);
  if (!ran) {
    if (!has_errors(shown)) say(report.message);
    else if (is_interruption(report.exit)) say(report.message);
    else if (!report.device.empty()) say(fmt::format("`{}` failed on the {}", report.kernel, report.device));
    return;
  }
  if (arguments.quiet && report.status == RunReport::Status::Ok) return;
  if (report.grid && report.milliseconds)
    put(fmt::format("{} on {}: grid {}, {} threads a CTA, {:.4g} ms\n", report.kernel, report.device, fmt::join(*report.grid, " x "),
                    report.threads, *report.milliseconds));
  if (report.chosen_by == "tuned") put(fmt::format("  with {}, which `phobos tune` found fastest for such a shape\n", report.chosen));
  if (report.chosen_by == "cost" && arguments.verbose)
    put(fmt::format("  with {}, which of {} choices should be the fastest: {:.4g} ms by estimate; `phobos tune` measures them\n", report.chosen, report.chosen_of, *report.estimated));
  if (arguments.verbose)
    for (const auto& [name, value] : report.constants) put(fmt::format("  {} = {}\n", name, value));
  put_outputs(report);
  if (report.bench) put_bench(report);
  if (report.status == RunReport::Status::Failed) put(fmt::format("FAILED {}\n", report.message));
  else if (expects) put(fmt::format("ok: as expected{}\n", report.message.empty() ? "" : "; " + report.message));
  else if (!report.message.empty()) put(report.message + "\n");
}

// What the command line asks for; without any argument, what a run line of the kernel does.
Result<RunOptions> options_of(const Arguments& arguments, const Source& source, const session::ItemView& kernel) {
  RunOptions options;
  Result<launch::Request> request = request_of(arguments.words, arguments.run_line, arguments.grid, source, kernel, options.folder);
  if (!request) return request.error();
  options.request = std::move(*request);
  for (const std::string& word : arguments.out) {
    Result<launch::Given> given = launch::parse_given(word);
    if (!given) return Error{fmt::format("--out: {}", given.message())};
    options.out.push_back(std::move(*given));
  }
  options.out_folder = arguments.out_folder;
  if (arguments.rtol) options.request.rtol = arguments.rtol;
  if (arguments.atol) options.request.atol = arguments.atol;
  options.device = arguments.device;
  options.chip = arguments.chip;
  options.cache = !arguments.no_cache;
  options.choose = arguments.choose == "first" ? RunOptions::Choose::First : arguments.choose == "cost" ? RunOptions::Choose::Cost : RunOptions::Choose::ByDevice;
  options.checked = arguments.checked;
  options.seconds = arguments.seconds;
  options.compare_with_simulator = !arguments.compare.empty();
  options.check_kinds = arguments.check_kinds;
  options.checks = !arguments.no_checks;
  options.workers = arguments.workers;
  options.max_steps = arguments.max_steps;
  options.most_prints = arguments.max_prints;
  if (arguments.host != nullptr) options.progress = arguments.host->progress;
  options.shows_progress = !arguments.json && !arguments.quiet && isatty(STDERR_FILENO) != 0;
  options.bench_repeats = arguments.bench ? arguments.repeats : 0;
  return options;
}

int refuse(const Arguments& arguments, const Source* source, Stop stop) {
  if (arguments.json) {
    RunReport report;
    report.status = RunReport::Status::Error;
    report.kernel = arguments.kernel;
    report.message = stop.message.empty() && !stop.diagnostics.empty() ? stop.diagnostics[0].message : stop.message;
    report.diagnostics = std::move(stop.diagnostics);
    put_report_json(source, report);
  } else if (source != nullptr) {
    std::fputs(diagnostics_text(*source, stop.diagnostics, use_color(arguments, STDERR_FILENO)).c_str(), stderr);
  }
  if (!stop.message.empty()) say(stop.message);
  return stop.exit;
}

int run(const Arguments& arguments) {
  const Result<Source> source = open_source(arguments.file);
  if (!source) return refuse(arguments, nullptr, {exit_usage, source.message(), {}});
  const OrStop<const session::ItemView*> kernel = choose_kernel(*source, arguments.kernel);
  if (const Stop* stop = std::get_if<Stop>(&kernel)) return refuse(arguments, &*source, *stop);
  const session::ItemView& view = *std::get<const session::ItemView*>(kernel);
  const Result<RunOptions> options = options_of(arguments, *source, view);
  if (!options) return refuse(arguments, &*source, {exit_usage, options.message(), {}});
  Devices own;
  const RunReport report = run_kernel(*source, view, *options, arguments.host != nullptr ? *arguments.host->devices : own);
  if (arguments.json) put_report_json(&*source, report);
  else put_report_text(*source, report, arguments, options->request.expects_something());
  return report.exit;
}

}  // namespace

void add_run(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->host = chosen.host;
  CLI::App* command = program.add_subcommand("run", "Compile and execute one kernel");
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required()->check(not_empty());
  command->add_option("NAME=VALUE", arguments->words, "Parameters, dimensions and constants; none: the kernel's first run line");
  command->add_option("--kernel", arguments->kernel, "Which kernel, where the file has several")->check(not_empty());
  command->add_option("--run-line", arguments->run_line, "Without arguments: which of the kernel's run lines, from 0");
  command->add_option("--grid", arguments->grid, "CTAs: X[,Y[,Z]]; else inferred");
  command->add_option("--out", arguments->out, "NAME=FILE.npy: write a tensor after the run")->expected(1)->take_all()->allow_extra_args(false);
  command->add_option("--out-dir", arguments->out_folder, "A folder: write each tensor of up to 256 MiB that was written there, as NAME.npy, and "
                                                          "with --compare what the simulator has for it, as NAME.sim.npy")
      ->check(not_empty());
  command->add_option("--compare", arguments->compare, "sim: run the simulator, too, and compare")->check(CLI::IsMember({"sim"}));
  command->add_option("--choose", arguments->choose, "Constants that are not given: cost (what should be the fastest for these dimensions) or first (the defaults); else, "
                                                     "on the GPU, what `phobos tune` found or by cost, and elsewhere the defaults")
      ->check(CLI::IsMember({"cost", "first"}));
  command->add_option("--rtol", arguments->rtol, "Relative tolerance of comparisons")->check(not_negative());
  command->add_option("--atol", arguments->atol, "Absolute tolerance of comparisons")->check(not_negative());
  command->add_flag("--bench", arguments->bench, "Time the kernel after a warm-up");
  command->add_option("--reps", arguments->repeats, "How often --bench runs it")->check(CLI::Range(1, 1000000));
  command->add_flag("--check-kinds", arguments->check_kinds, "On the simulator: check that what was inferred uniform is");
  command->add_flag("--no-checks", arguments->no_checks, "On the simulator: do not look for races and the like");
  command->add_option("--workers", arguments->workers, "On the simulator: how many CTAs run at a time; else one a core")
      ->check(CLI::Range(0, 1024));
  command->add_option("--max-steps", arguments->max_steps, "On the simulator: operations that a CTA may take; 0: no limit")
      ->check(not_negative());
  command->add_option("--max-prints", arguments->max_prints, "Lines of `print` that are shown")->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30));
  add_common(*command, *arguments);
  command->add_flag("--checked", arguments->checked, "On the GPU and the emulator: test the indices of accesses to single elements (the simulator always does)");
  command->add_option("--timeout", arguments->seconds, "On the GPU: seconds that a launch may take, 60 without; 0: as long as it does")
      ->check(not_negative());
  command->callback([=, &chosen] { chosen = [=] { return run(*arguments); }; });
}

}  // namespace phobos::cli
