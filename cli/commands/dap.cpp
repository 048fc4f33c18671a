#include <memory>

#include <phobos/server/transport/stream.h>

#include "../debug_session.h"
#include "commands.h"

namespace phobos::cli {

void add_dap(CLI::App& program, Chosen& chosen) {
  const auto arguments = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("dap", "The debug adapter: steps of a kernel for an editor, over standard input and output");
  add_common(*command, *arguments);
  command->callback([&chosen] {
    chosen = [] {
      const std::unique_ptr<server::Stream> stream = server::standard_stream();
      DebugSession(*stream).run();
      return exit_done;
    };
  });
}

}  // namespace phobos::cli
