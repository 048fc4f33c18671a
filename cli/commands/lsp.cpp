#include <memory>

#include <phobos/server/handlers/server.h>

#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string listen;
  bool stdio = false;
};

}  // namespace

void add_lsp(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("lsp", "The language server");
  CLI::Option* stdio = command->add_flag("--stdio", arguments->stdio, "Over standard input and output, as without an option");
  command->add_option("--listen", arguments->listen, "[HOST:]PORT: one client over TCP")->excludes(stdio);
  add_common(*command, *arguments);
  command->callback([=, &chosen] {
    chosen = [=] { return arguments->listen.empty() ? server::run_stdio() : server::run_listen(arguments->listen); };
  });
}

}  // namespace phobos::cli
