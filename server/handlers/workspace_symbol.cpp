// The kernels and functions of all open texts whose names answer a query.
#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/answers.h>

#include "handlers.h"

namespace phobos::server {

lsp::Json workspace_symbol(Server& server, const lsp::Json& params, std::stop_token stop) {
  const std::string query = lsp::query_of(params);
  lsp::Json result = lsp::Json::array();
  for (const Server::View& view : server.views()) {
    if (stop.stop_requested()) throw Cancelled();
    std::vector<ide::OutlineSymbol> symbols = ide::outline(view.snapshot->file());
    std::erase_if(symbols, [&](const ide::OutlineSymbol& each) { return !ide::answers_query(each.name, query); });
    lsp::add_workspace_symbols(symbols, view.document->uri, view.border(), result);
  }
  return result;
}

}  // namespace phobos::server
