#include "options.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <phobos/support/number.h>
#include <phobos/nvptx/nvptx.h>

#include "devices.h"

namespace phobos::cli {

void add_common(CLI::App& command, Options& options) {
  command.add_flag("--json", options.json, "One JSON document on standard output, and nothing else there");
  command.add_option("--color", options.color, "Colours: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.add_flag("-q,--quiet", options.quiet, "Say only what failed");
  command.add_flag("-v,--verbose", options.verbose, "Say more");
  command.add_option("--device", options.device, "auto (the GPU where there is one), gpu, sim, or emulate (what the GPU would run, on the CPU)")
      ->check(CLI::IsMember({"auto", "gpu", "sim", "emulate"}));
  command.add_option("--chip", options.chip, "The GPU to compile for, as in sm_90a; else the one that is here, else sm_90a")
      ->check(CLI::Validator([](const std::string& chip) { return passes::find_chip(chip) ? std::string() : unknown_chip(chip); }, ""));
  command.add_flag("--no-cache", options.no_cache, "Compile anew, and keep nothing");
}

CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& text) { return std::string(text.empty() ? "it is empty" : ""); }, "");
}

CLI::Validator not_negative() {
  return CLI::Validator(
      [](const std::string& text) {
        const std::optional<double> number = parse_real(text);
        return number && *number >= 0 ? std::string() : fmt::format("it is a number that is not negative, not `{}`", text);
      },
      "");
}

bool use_color(const Options& options, int descriptor) {
  if (options.color != "auto") return options.color == "always";
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) != 0 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace phobos::cli
