// Diagnostics that the client asks for: of one document, or of all that are open.
#include "handlers.h"

namespace phobos::server {

namespace {

lsp::Json items_of(Server& server, const Server::View& view) {
  if (!view || lsp::scheme_of(view.document->uri) == "git") return lsp::Json::array();
  return lsp::live_diagnostics(view.document->uri, server.diagnostics_of(view), view.border());
}

}  // namespace

lsp::Json document_diagnostic(Server& server, const lsp::Json& params, std::stop_token stop) {
  const Server::View view = server.view(lsp::document_params(params).uri, stop);
  return lsp::diagnostic_report(items_of(server, view), lsp::previous_result_id(params));
}

lsp::Json workspace_diagnostic(Server& server, const lsp::Json& params, std::stop_token stop) {
  const std::map<std::string, std::string> known = lsp::previous_result_ids(params);
  std::vector<lsp::Json> reports;
  for (const Server::View& view : server.views()) {
    if (stop.stop_requested()) throw Cancelled();
    const auto before = known.find(lsp::identity_of(view.document->uri));
    reports.push_back(lsp::diagnostic_report(items_of(server, view), before == known.end() ? std::optional<std::string>() : before->second));
    reports.back()["uri"] = view.document->uri;
    reports.back()["version"] = view.document->version ? lsp::Json(*view.document->version) : lsp::Json(nullptr);
  }
  return lsp::workspace_diagnostic_result(std::move(reports));
}

}  // namespace phobos::server
