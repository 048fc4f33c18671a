// Diagnostics that are pushed: of each version that is not outdated before it is known.
#include <utility>

#include <phobos/server/lsp/run.h>

#include "server.h"

namespace phobos::server {

std::vector<diag::Diagnostic> Server::diagnostics_of(const View& view) {
  std::vector<diag::Diagnostic> found = view.snapshot->diagnostics();
  const std::shared_ptr<const lsp::Settings> wanted = settings();
  std::erase_if(found, [&](diag::Diagnostic& diagnostic) { return !wanted->admits(diagnostic); });
  return found;
}

void Server::publish(Document& document) {
  const Clock::time_point start = Clock::now();
  const View view = view_of(document, {});
  if (!std::exchange(document.measured, false)) document.last_rebuild = Clock::now() - start;
  document.due.reset();
  if (client.pulls_diagnostics || lsp::scheme_of(document.uri) == "git") return;  // git: an old state of a file that is open as itself
  lsp::Json params = lsp::publish_params(*view.document, diagnostics_of(view), view.border());
  for (const SavedFinding& each : document.saved.found())
    params["diagnostics"].push_back(lsp::saved_diagnostic(view.border().range(each.span), each.severity, each.code, each.message, document.saved.stale()));
  send_notification("textDocument/publishDiagnostics", std::move(params),
                    "diagnostics of " + document.identity);
}

void Server::publish_nothing(const std::string& uri) {
  if (client.pulls_diagnostics) return;
  const LineMap lines("");
  send_notification("textDocument/publishDiagnostics", lsp::publish_params({uri, std::nullopt}, {}, {"", lines, client.encoding}),
                    "diagnostics of " + lsp::identity_of(uri));
}

}  // namespace phobos::server
