#include <memory>

#include <phobos/server/handlers/server.h>

#include "commands.h"

namespace phobos::cli {
namespace {

struct Arguments : Options {
  std::string listen;
  bool stdio = false, allow_remote = false, with_sources = false;
  std::string record, replay;
};

int serve(const Arguments& arguments) {
  server::Options options;
  options.program = "/proc/self/exe";
  options.record = arguments.record;
  options.record_sources = arguments.with_sources;
  if (!arguments.replay.empty()) return server::run_replay(arguments.replay, options);
  return arguments.listen.empty() ? server::run_stdio(options) : server::run_listen(arguments.listen, arguments.allow_remote, options);
}

}  // namespace

void add_lsp(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("lsp", "The language server");
  CLI::Option* stdio = command->add_flag("--stdio", arguments->stdio, "Over standard input and output, as without an option");
  command->add_option("--listen", arguments->listen, "[HOST:]PORT: one client over TCP, of this machine")->excludes(stdio);
  command->add_flag("--allow-remote", arguments->allow_remote, "With --listen: HOST may be one that other machines reach");
  CLI::Option* record = command->add_option("--record", arguments->record, "Write what the client sends to FILE, without names, texts and paths")->check(not_empty());
  command->add_flag("--with-sources", arguments->with_sources, "With --record: as it is")->needs(record);
  command->add_option("--replay", arguments->replay, "Send what --record wrote, and write what the server answers")->check(not_empty())->excludes(stdio)->excludes(record);
  add_common(*command, *arguments);
  command->callback([=, &chosen] {
    chosen = [=] { return serve(*arguments); };
  });
}

}  // namespace phobos::cli
