#include <unistd.h>

#include <memory>

#include <fmt/format.h>

#include "../output.h"
#include "../runner.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  Host* host = nullptr;
  bool checked = false;
  double seconds = 60;
  std::vector<std::string> files;
  std::string kernel;
  std::optional<std::size_t> run_line;
  bool check_kinds = false, no_checks = false;
  int workers = 0;
  std::optional<std::int64_t> max_steps;
};

struct Test {
  std::string file, kernel;
  std::uint32_t line = 0;  // of the run line, from 1
  RunReport report;
};

const char* status_name(RunReport::Status status) {
  switch (status) {
    case RunReport::Status::Ok: return "ok";
    case RunReport::Status::Failed: return "failed";
    default: return "error";
  }
}

class Tester {
 public:
  explicit Tester(const Arguments& arguments) : arguments_(arguments) {}

  int run() {
    for (const std::string& file : arguments_.files)
      if (!is_interruption(status_)) run_file(file);
    if (arguments_.json) put_json({{"tests", std::move(tests_)}});
    else if (!arguments_.quiet) put(fmt::format("{} passed, {} failed\n", passed_, failed_));
    if (status_ != exit_done) return status_;
    return failed_ != 0 ? exit_failed : exit_done;
  }

 private:
  void run_file(const std::string& file) {
    const Result<Source> source = open_source(file);
    if (!source) {
      say(source.message());
      status_ = exit_usage;
      return;
    }
    const int before = passed_ + failed_;
    int kernels = 0;
    for (const session::ItemView& view : source->snapshot->items()) {
      if (view.item().form != syntax::Item::Form::Kernel) continue;
      if (!arguments_.kernel.empty() && view.item().name.text != arguments_.kernel) continue;
      ++kernels;
      const std::vector<session::RunLine> lines = source->snapshot->run_lines(view);
      for (std::size_t i = 0; i < lines.size(); ++i)
        if (!is_interruption(status_) && arguments_.run_line.value_or(i) == i) run_line(*source, view, lines[i]);
    }
    const std::vector<diag::Diagnostic> diagnostics = source->snapshot->diagnostics();
    if (kernels != 0) {
      // A file with errors does not pass, whether or not a run line met them; one that expects them says so.
      if (passed_ + failed_ == before && has_errors(diagnostics)) {
        std::fputs(diagnostics_text(*source, diagnostics, use_color(arguments_, STDERR_FILENO)).c_str(), stderr);
        status_ = exit_failed;
      }
      return;
    }
    if (has_errors(diagnostics)) std::fputs(diagnostics_text(*source, diagnostics, use_color(arguments_, STDERR_FILENO)).c_str(), stderr);
    else say(fmt::format("{}: there is no kernel{} in it", source->name(), arguments_.kernel.empty() ? "" : " `" + arguments_.kernel + "`"));
    status_ = has_errors(diagnostics) ? exit_failed : exit_usage;
  }

  void run_line(const Source& source, const session::ItemView& view, const session::RunLine& line) {
    Test test{source.name(), view.item().name.text, source.snapshot->lines().line_of(line.span.begin) + 1, {}};
    Result<launch::Request> request = launch::parse_run_line(line.text);
    if (!request) {
      test.report.status = RunReport::Status::Error;
      test.report.message = request.message();
    } else if (!request->expects_something()) {
      return;
    } else {
      RunOptions options;
      options.request = std::move(*request);
      options.folder = source.folder();
      options.device = arguments_.device;
      options.chip = arguments_.chip;
      options.cache = !arguments_.no_cache;
      options.checked = arguments_.checked;
      options.seconds = arguments_.seconds;
      options.check_kinds = arguments_.check_kinds;
      options.checks = !arguments_.no_checks;
      options.workers = arguments_.workers;
      options.max_steps = arguments_.max_steps;
      if (arguments_.host != nullptr) options.progress = arguments_.host->progress;
      options.shows_progress = !arguments_.json && !arguments_.quiet && isatty(STDERR_FILENO) != 0;
      test.report = run_kernel(source, view, options, arguments_.host != nullptr ? *arguments_.host->devices : devices_);
    }
    tell(test, source);
  }

  void tell(const Test& test, const Source& source) {
    const RunReport& report = test.report;
    const bool ok = report.status == RunReport::Status::Ok;
    ++(ok ? passed_ : failed_);
    if (report.exit == exit_unavailable || is_interruption(report.exit)) status_ = report.exit;
    if (arguments_.json) {
      tests_.push_back({{"name", test.kernel}, {"line", test.line}, {"status", status_name(report.status)}, {"message", report.message},
                        {"ms", report.milliseconds ? Json(*report.milliseconds) : Json(nullptr)}, {"file", test.file},
                        {"device", report.device}});
      return;
    }
    if (ok && arguments_.quiet) return;
    put(fmt::format("{:<6} {}:{} {}{}\n", ok ? "ok" : "FAILED", test.file, test.line, test.kernel,
                    report.device.empty() ? "" : fmt::format(" on {}{}", report.device,
                                                             report.milliseconds ? fmt::format(", {:.4g} ms", *report.milliseconds) : "")));
    if (ok) return;
    put(fmt::format("       {}\n", report.message));
    if (report.status == RunReport::Status::Error) put(diagnostics_text(source, report.diagnostics, use_color(arguments_, STDOUT_FILENO)));
  }

  const Arguments& arguments_;
  Devices devices_;
  Json tests_ = Json::array();
  int passed_ = 0, failed_ = 0;
  int status_ = exit_done;
};

}  // namespace

void add_test(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->host = chosen.host;
  CLI::App* command = program.add_subcommand("test", "Every run line that expects something");
  command->add_option("FILE", arguments->files, "Files; - is standard input")->required()->check(not_empty());
  command->add_option("--kernel", arguments->kernel, "Only the run lines of that kernel")->check(not_empty());
  command->add_option("--run-line", arguments->run_line, "Only that run line of each kernel, from 0");
  command->add_flag("--check-kinds", arguments->check_kinds, "On the simulator: check that what was inferred uniform is");
  command->add_flag("--no-checks", arguments->no_checks, "On the simulator: do not look for races and the like");
  command->add_option("--workers", arguments->workers, "On the simulator: how many CTAs run at a time; else one a core")
      ->check(CLI::Range(0, 1024));
  command->add_option("--max-steps", arguments->max_steps, "On the simulator: operations that a CTA may take; 0: no limit")
      ->check(not_negative());
  add_common(*command, *arguments);
  command->add_flag("--checked", arguments->checked, "On the GPU and the emulator: test the indices of accesses to single elements (the simulator always does)");
  command->add_option("--timeout", arguments->seconds, "On the GPU: seconds that a launch may take, 60 without; 0: as long as it does")
      ->check(not_negative());
  command->callback([=, &chosen] { chosen = [=] { return Tester(*arguments).run(); }; });
}

}  // namespace phobos::cli
