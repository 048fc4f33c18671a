#include <memory>

#include <phobos/server/handlers/server.h>

#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string listen;
  bool stdio = false, allow_remote = false;
};

}  // namespace

void add_lsp(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("lsp", "The language server");
  CLI::Option* stdio = command->add_flag("--stdio", arguments->stdio, "Over standard input and output, as without an option");
  command->add_option("--listen", arguments->listen, "[HOST:]PORT: one client over TCP, of this machine")->excludes(stdio);
  command->add_flag("--allow-remote", arguments->allow_remote, "With --listen: HOST may be one that other machines reach");
  add_common(*command, *arguments);
  command->callback([=, &chosen] {
    chosen = [=] { return arguments->listen.empty() ? server::run_stdio() : server::run_listen(arguments->listen, arguments->allow_remote); };
  });
}

}  // namespace phobos::cli
