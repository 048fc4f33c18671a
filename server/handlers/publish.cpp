// Diagnostics that are pushed: of each version that is not outdated before it is known, where they are not what the client was told
// last. To a client that knows versions, one that was told nothing of is news.
#include <functional>
#include <utility>

#include <phobos/server/lsp/run.h>

#include "server.h"

namespace phobos::server {

lsp::Json Server::diagnostics_of(const View& view) {
  std::vector<diag::Diagnostic> found = view.snapshot->diagnostics();
  const std::shared_ptr<const lsp::Settings> wanted = settings(view.document->uri);
  std::erase_if(found, [&](diag::Diagnostic& diagnostic) { return !wanted->admits(diagnostic); });
  const lsp::Border border = view.border();
  lsp::Json all = lsp::live_diagnostics(view.document->uri, found, border);
  for (const SavedFinding& each : view.saved->found())
    all.push_back(lsp::saved_diagnostic(border.range(each.span), each.severity, each.code, each.message, view.saved->stale()));
  return all;
}

void Server::publish(Document& document) {
  const Clock::time_point start = Clock::now();
  const View view = view_of(document, {});
  if (!std::exchange(document.measured, false)) {
    document.last_rebuild = Clock::now() - start;
    document.rebuilt_much = false;
  }
  document.due.reset();
  if (client.pulls_diagnostics || lsp::scheme_of(document.uri) == "git") return;  // git: an old state of a file that is open as itself
  lsp::Json found = diagnostics_of(view);
  const std::size_t name = std::hash<lsp::Json>()(found);
  const bool told = document.published == name && (!client.versioned_diagnostics || document.published_version == document.version);
  if (told) return;
  document.published = name;
  document.published_version = document.version;
  send_notification("textDocument/publishDiagnostics", lsp::publish_params(*view.document, std::move(found)), "diagnostics of " + document.identity);
}

void Server::publish_nothing(const std::string& uri) {
  if (client.pulls_diagnostics) return;
  send_notification("textDocument/publishDiagnostics", lsp::publish_params({uri, std::nullopt}, lsp::Json::array()),
                    "diagnostics of " + lsp::identity_of(uri));
}

}  // namespace phobos::server
