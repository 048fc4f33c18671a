// Quick fixes: the repairs that the diagnostics in a range know of.
#include <phobos/session/fixes.h>

#include "handlers.h"

namespace phobos::server {

lsp::Json code_action(Server& server, const lsp::Json& params, std::stop_token stop) {
  const lsp::CodeActionParams asked = lsp::code_action_params(params);
  const Server::View view = server.view(asked.uri, stop);
  lsp::Json actions = lsp::Json::array();
  if (!view || !asked.wants_quick_fixes) return actions;
  const lsp::Border border = view.border();
  const Span span = border.span(asked.range);
  const lsp::DocumentName name{view.document->uri, view.document->version};
  std::vector<diag::Diagnostic> found = view.snapshot->diagnostics();
  std::erase_if(found, [&](const diag::Diagnostic& diagnostic) {
    const Span at = diagnostic.location.span;
    return at.end < span.begin || span.end < at.begin;
  });
  session::drop_fixes_that_fail(*view.snapshot, found);
  for (const diag::Diagnostic& diagnostic : found)
    for (const diag::Fix& fix : diagnostic.fixes)
      actions.push_back(lsp::to_json({&diagnostic, &fix}, name, server.client.versioned_edits, border));
  return actions;
}

}  // namespace phobos::server
