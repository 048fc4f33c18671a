#include <unistd.h>

#include <memory>

#include <fmt/format.h>

#include <phobos/launch/grid.h>
#include <phobos/launch/trace.h>

#include "../output.h"
#include "../runner.h"
#include "../terminal.h"
#include "../trace_text.h"
#include "../trace_view.h"
#include "../watch.h"
#include "commands.h"

namespace phobos::cli {
namespace {

constexpr std::int64_t default_steps = 10'000;
constexpr std::int64_t most_steps = 10'000'000;

struct Arguments : Options {
  Host* host = nullptr;
  std::string file;
  std::vector<std::string> words;
  std::string kernel, grid, block;
  std::size_t run_line = 0;
  std::int64_t steps = default_steps;
};

int refuse(const Arguments& arguments, const Source* source, const Stop& stop) {
  if (source != nullptr) std::fputs(diagnostics_text(*source, stop.diagnostics, use_color(arguments, STDERR_FILENO)).c_str(), stderr);
  if (arguments.json)
    put_json({{"message", stop.reason()},
              {"diagnostics", source != nullptr ? diagnostics_json(*source, stop.diagnostics) : Json::array()}});
  if (!stop.message.empty()) say(stop.message);
  return stop.exit;
}

class Tracer {
 public:
  Tracer(const Arguments& arguments, const Source& source, Prepared prepared, std::int64_t cta)
      : arguments_(arguments), source_(source), prepared_(std::move(prepared)), cta_(cta) {}

  int run() {
    const bool view = !arguments_.json && Terminal::usable();
    std::vector<launch::TraceStep> kept;
    std::optional<launch::TraceStep> last;  // told once it is known whether it is the last
    const int interrupted = collect([&](launch::TraceStep step) {
      if (view) return kept.push_back(std::move(step));
      if (last) tell(*last, false);
      last = std::move(step);
    });
    if (last) tell(*last, trace_.cut);
    if (interrupted != 0) return refuse(arguments_, &source_, {interrupted, "interrupted", {}});
    if (view && !kept.empty()) return show(std::move(kept));
    return end();
  }

 private:
  // The exit status where it was interrupted, else 0.
  int collect(const std::function<void(launch::TraceStep)>& take) {
    Watch watch(!arguments_.json && !arguments_.quiet && isatty(STDERR_FILENO) != 0,
                arguments_.host != nullptr ? arguments_.host->progress : Watch::Progress());
    sim::Options options;
    options.stop = watch.stop();
    options.progress = [&](std::int64_t done, std::int64_t total) { watch.progress(done, total); };
    options.step_budget = launch::trace_budget;
    trace_ = launch::trace(prepared_.kernel, prepared_.bound, prepared_.grid, cta_, {.steps = arguments_.steps}, options, take);
    watch.finish();
    return watch.interrupted() ? watch.exit_status() : 0;
  }

  void tell(const launch::TraceStep& step, bool more) {
    if (arguments_.json) put_json(step_json(source_, step, trace_threads(), more));
    else put(step_text(source_, step, trace_threads()));
  }

  int trace_threads() const { return prepared_.kernel.threads; }

  int show(std::vector<launch::TraceStep> steps) {
    TraceView view(source_, prepared_.kernel.name, std::move(steps), trace_, use_color(arguments_, STDOUT_FILENO));
    int signal = 0;
    {
      Terminal terminal;
      for (bool more = true; more;) {
        terminal.draw(view.lines(terminal.size()));
        const Key key = terminal.key();
        signal = key.signal;
        more = view.press(key);
      }
    }
    const int status = end();
    return signal != 0 ? 128 + signal : status;
  }

  int end() {
    std::fflush(stdout);
    std::fputs(diagnostics_text(source_, trace_.findings, use_color(arguments_, STDERR_FILENO)).c_str(), stderr);
    if (trace_.cut && !arguments_.quiet) say(fmt::format("there are more than {} steps; --steps asks for more", arguments_.steps));
    return has_errors(trace_.findings) ? exit_failed : exit_done;
  }

  const Arguments& arguments_;
  const Source& source_;
  Prepared prepared_;
  const std::int64_t cta_;
  launch::Trace trace_;
};

int run(const Arguments& arguments) {
  if (arguments.device != "auto" && arguments.device != "sim")
    return refuse(arguments, nullptr, {exit_usage, fmt::format("a trace is of the simulator: --device {} has no steps to show", arguments.device), {}});
  const Result<Source> source = open_source(arguments.file);
  if (!source) return refuse(arguments, nullptr, {exit_usage, source.message(), {}});
  const OrStop<const session::ItemView*> kernel = choose_kernel(*source, arguments.kernel);
  if (const Stop* stop = std::get_if<Stop>(&kernel)) return refuse(arguments, &*source, *stop);
  const session::ItemView& view = *std::get<const session::ItemView*>(kernel);
  std::filesystem::path folder;
  const Result<launch::Request> request = request_of(arguments.words, arguments.run_line, arguments.grid, *source, view, folder);
  if (!request) return refuse(arguments, &*source, {exit_usage, request.message(), {}});
  const LaunchCheck check = [](const ir::Kernel& kernel, const launch::Grid& grid, double bytes) { return check_simulated(kernel, grid, bytes, {}); };
  OrStop<Prepared> prepared = prepare(*source, view, *request, folder, {}, check, lower::Purpose::Trace);
  if (const Stop* stop = std::get_if<Stop>(&prepared)) return refuse(arguments, &*source, *stop);
  Prepared& ready = std::get<Prepared>(prepared);
  const Result<std::int64_t> cta = launch::cta_of(arguments.block, ready.grid);
  if (!cta) return refuse(arguments, &*source, {exit_usage, cta.message(), {}});
  return Tracer(arguments, *source, std::move(ready), *cta).run();
}

}  // namespace

void add_trace(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->host = chosen.host;
  CLI::App* command = program.add_subcommand("trace", "Step through one CTA on the simulator: a view on a terminal, else a listing");
  command->add_option("FILE", arguments->file, "The file; - is standard input")->required();
  command->add_option("NAME=VALUE", arguments->words, "Parameters, dimensions and constants; none: the kernel's first run line");
  command->add_option("--kernel", arguments->kernel, "Which kernel, where the file has several");
  command->add_option("--run-line", arguments->run_line, "Without arguments: which of the kernel's run lines, from 0");
  command->add_option("--grid", arguments->grid, "CTAs: X[,Y[,Z]]; else inferred");
  command->add_option("--block", arguments->block, "Which CTA: X[,Y[,Z]], from 0; else the first");
  command->add_option("--steps", arguments->steps, "The most steps that are taken")->check(CLI::Range(std::int64_t{1}, most_steps));
  add_common(*command, *arguments);
  command->callback([=, &chosen] { chosen = [=] { return run(*arguments); }; });
}

}  // namespace phobos::cli
