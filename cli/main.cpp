// The argument table. Nothing is done before the whole command line is known to be right.

#include <cerrno>
#include <cstdio>
#include <iostream>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <phobos/builtins/builtins.h>

#include "commands/commands.h"
#include "fence.h"
#include "output.h"

namespace phobos::cli {
namespace {

std::string unknown_command(const CLI::App& program, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = phobos::builtins::nearest(word, views);
  return fmt::format("there is no command `{}`{}", word,
                     near ? fmt::format("; did you mean `{}`?", *near)
                     : word.ends_with(".ph") ? fmt::format("; `phobos check {}` or `phobos run {}`?", word, word)
                                             : "; `phobos --help` lists them");
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, Host* host) {
  std::vector<const char*> pointers{"phobos"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  const int argc = static_cast<int>(pointers.size());
  const char* const* argv = pointers.data();
  CLI::App program("Phobos: checks, runs and compiles GPU kernels (.ph)", "phobos");
  program.require_subcommand(1);
  program.fallthrough(false);
  program.set_version_flag("--version", "phobos " PHOBOS_VERSION);
  Chosen chosen;
  chosen.host = host;
  for (const auto add : {add_check, add_kinds, add_run, add_test, add_tune, add_trace, add_build, add_fmt, add_ide, add_explain, add_lsp, add_dap, add_worker, add_doctor}) add(program, chosen);
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--version" && argc > 2) {
    say(fmt::format("--version stands alone, without `{}`", argv[2]));
    return exit_usage;
  }
  if (argc > 1 && (first.empty() || (first[0] == '-' && first != "--version" && first != "--help" && first != "-h"))) {
    say(first.empty() ? std::string("a command comes first, as in `phobos check FILE`") : fmt::format("a command comes first, as in `phobos check FILE`; `{}` stands behind it", first));
    return exit_usage;
  }
  const auto is_command = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && argv[1][0] != '\0' && program.get_subcommands(is_command).empty()) {
    say(unknown_command(program, argv[1]));
    return exit_usage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      program.exit(error);  // --help and --version
      return exit_done;
    }
    say(argc < 2 ? "a command is missing, as in `phobos check FILE`" : error.what());
    say("`phobos --help` lists the commands, `phobos COMMAND --help` what one takes");
    return exit_usage;
  }
  return chosen.run();
}

}  // namespace phobos::cli

int main(int argc, char** argv) {
  using namespace phobos::cli;
  catch_fatal_signals();
  int status = fenced([&] { return run_command_line({argv + 1, argv + argc}, nullptr); });
  errno = 0;
  std::cout.flush();  // --help and --version
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (lost && errno != EPIPE) {
    say("standard output cannot be written");
    if (status == exit_done) status = exit_failed;
  }
  return status;
}
