// The kernels and functions of all open texts, and of the files in the workspace's folders, whose names answer a query.
#include <set>

#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/answers.h>

#include "handlers.h"

namespace phobos::server {

namespace {

constexpr std::size_t most_symbols = 2000;  // of an answer; more nobody reads

}  // namespace

lsp::Json workspace_symbol(Server& server, const lsp::Json& params, std::stop_token stop) {
  const std::string query = lsp::query_of(params);
  lsp::Json result = lsp::Json::array();
  std::set<std::string> open;
  for (const Server::View& view : server.views()) {
    if (stop.stop_requested()) throw Cancelled();
    open.insert(lsp::identity_of(view.document->uri));
    std::vector<ide::OutlineSymbol> symbols = ide::outline(view.snapshot->file());
    std::erase_if(symbols, [&](const ide::OutlineSymbol& each) { return !ide::answers_query(each.name, query); });
    lsp::add_workspace_symbols(symbols, view.document->uri, view.border(), result);
  }
  for (const FileOnDisk& file : WorkspaceFiles::find(server.folders(), stop)) {
    if (stop.stop_requested()) throw Cancelled();
    if (open.contains(file.identity)) continue;
    const auto facts = server.files().facts(file, server.settings(file.uri), server.client.encoding);
    if (!facts) continue;
    for (const lsp::Json& symbol : facts->symbols)
      if (result.size() < most_symbols && ide::answers_query(lsp::name_of_symbol(symbol), query)) result.push_back(symbol);
  }
  return result;
}

}  // namespace phobos::server
