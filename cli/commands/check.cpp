#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "../every_feature.h"
#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::vector<std::string> files;
  bool every_feature = false;
};

std::string plural(std::size_t count, const char* word) { return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s"); }

std::optional<Source> open_or_say(const std::string& file, int& status) {
  Result<Source> source = open_source(file);
  if (source) return *std::move(source);
  say(source.message());
  status = exit_usage;
  return std::nullopt;
}

int check(const Arguments& arguments) {
  Json diagnostics = Json::array();
  std::size_t errors = 0, warnings = 0;
  bool at_least = false;
  int status = exit_done;
  for (const std::string& file : arguments.files) {
    const std::optional<Source> source = open_or_say(file, status);
    if (!source) continue;
    std::vector<diag::Diagnostic> found = source->snapshot->diagnostics();
    const bool cut = found.size() == session::most_diagnostics;
    at_least = at_least || cut;
    if (cut)
      say(fmt::format("{}: only {} diagnostics are shown, errors first", source->name(), session::most_diagnostics));
    if (arguments.quiet) std::erase_if(found, [](const diag::Diagnostic& d) { return d.severity != diag::Severity::Error; });
    for (const diag::Diagnostic& diagnostic : found) {
      errors += diagnostic.severity == diag::Severity::Error;
      warnings += diagnostic.severity == diag::Severity::Warning;
    }
    if (arguments.json) {
      for (Json& json : diagnostics_json(*source, found)) diagnostics.push_back(std::move(json));
    } else {
      put(diagnostics_text(*source, found, use_color(arguments, STDOUT_FILENO)));
    }
  }
  if (arguments.json) put_json({{"diagnostics", std::move(diagnostics)}});
  else if (errors + warnings != 0 && !arguments.quiet) put(fmt::format("{}{}, {}\n", at_least ? "at least " : "", plural(errors, "error"), plural(warnings, "warning")));
  else if (arguments.verbose && status == exit_done) put(fmt::format("{}: no errors\n", plural(arguments.files.size(), "file")));
  return status != exit_done ? status : errors != 0 ? exit_failed : exit_done;
}

// What each feature of the server does with the files, in place of their diagnostics.
int every_feature(const Arguments& arguments) {
  Json files = Json::array();
  int status = exit_done;
  for (const std::string& file : arguments.files) {
    const std::optional<Source> source = open_or_say(file, status);
    if (!source) continue;
    const EveryFeature found = ask_every_feature(*source);
    Json features = Json::array();
    if (!arguments.json && !arguments.quiet) put(fmt::format("{}\n{:>10} {:>10} {:>12} {:>12}\n", source->name(), "asked", "answered", "mean ms", "slowest ms"));
    for (const FeatureReport& each : found.features) {
      const double mean = each.total_ms / static_cast<double>(std::max<std::size_t>(each.asked, 1));
      features.push_back({{"method", each.method}, {"asked", each.asked}, {"answered", each.answered}, {"mean_ms", mean}, {"slowest_ms", each.slowest_ms}, {"slowest_at", each.slowest_at}});
      if (!arguments.json && !arguments.quiet)
        put(fmt::format("{:>10} {:>10} {:>12.3f} {:>12.3f}  {} (at {})\n", each.asked, each.answered, mean, each.slowest_ms, each.method, each.slowest_at));
    }
    for (const std::string& fault : found.faults) say(fault);
    if (!found.faults.empty() && status == exit_done) status = exit_fault;
    files.push_back({{"file", source->name()}, {"features", std::move(features)}, {"faults", found.faults}});
  }
  if (arguments.json) put_json({{"files", std::move(files)}});
  return status;
}

}  // namespace

void add_check(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("check", "Diagnostics of files");
  command->add_option("FILE", arguments->files, "Files; - is standard input")->required()->check(not_empty());
  add_common(*command, *arguments);
  command->add_flag("--every-feature", arguments->every_feature, "Asks the language server's features at every token, and tells what fails and what is slow");
  command->callback([=, &chosen] { chosen = [=] { return arguments->every_feature ? every_feature(*arguments) : check(*arguments); }; });
}

}  // namespace phobos::cli
