// Diagnostics that the client asks for: of one document, or of the workspace: all that is open, and the files of its folders.
#include <set>
#include <utility>

#include <phobos/server/lsp/pulled.h>

#include "handlers.h"
#include "progress.h"

namespace phobos::server {

namespace {

constexpr std::size_t files_at_once = 32;  // of an answer in parts

lsp::Json items_of(Server& server, const Server::View& view) {
  if (!view || lsp::scheme_of(view.document->uri) == "git") return lsp::Json::array();
  return server.diagnostics_of(view);
}

// The answer about a workspace, document by document, and by parts where the client takes them.
class WorkspaceReport {
 public:
  WorkspaceReport(Server& server, const lsp::Json& params) : server_(server), known_(lsp::previous_result_ids(params)), uris_(lsp::previous_uris(params)), token_(lsp::partial_result_token(params)) {}

  bool has(const std::string& identity) const { return told_.contains(identity); }
  void add(const std::string& uri, const std::optional<std::int64_t>& version, lsp::Json items) {
    const std::string identity = lsp::identity_of(uri);
    const auto before = known_.find(identity);
    const auto previous = before == known_.end() ? std::optional<std::string>() : before->second;
    told_.insert(identity);
    reports_.push_back(lsp::workspace_report(uri, version, lsp::diagnostic_report(std::move(items), previous)));
    if (!token_.is_null() && reports_.size() >= files_at_once) send_part();
  }
  // Of what the client has, and there is no more, that there is nothing.
  lsp::Json finish() {
    for (const auto& [identity, uri] : uris_)
      if (!has(identity)) add(uri, std::nullopt, lsp::Json::array());
    if (!token_.is_null() && !reports_.empty()) send_part();
    return lsp::workspace_diagnostic_result(std::move(reports_));
  }

 private:
  void send_part() {
    server_.send_notification("$/progress", lsp::progress_params(token_, lsp::workspace_diagnostic_result(std::exchange(reports_, {}))));
  }

  Server& server_;
  const std::map<std::string, std::string> known_, uris_;
  const lsp::Json token_;
  std::set<std::string> told_;
  std::vector<lsp::Json> reports_;
};

}  // namespace

lsp::Json document_diagnostic(Server& server, const lsp::Json& params, std::stop_token stop) {
  const Server::View view = server.view(lsp::document_params(params).uri, stop);
  return lsp::diagnostic_report(items_of(server, view), lsp::previous_result_id(params));
}

lsp::Json workspace_diagnostic(Server& server, const lsp::Json& params, std::stop_token stop) {
  WorkspaceReport report(server, params);
  for (const Server::View& view : server.views()) {
    if (stop.stop_requested()) throw Cancelled();
    report.add(view.document->uri, view.document->version, items_of(server, view));
  }
  const std::vector<FileOnDisk> files = WorkspaceFiles::find(server.folders(), stop);
  std::shared_ptr<Progress> progress;
  if (const lsp::Json token = lsp::work_done_token(params); !token.is_null()) progress = std::make_shared<Progress>(server, token, nullptr, "checking the workspace");
  std::int64_t done = 0;
  for (const FileOnDisk& file : files) {
    if (stop.stop_requested()) break;
    if (progress) progress->report(++done, static_cast<std::int64_t>(files.size()));
    if (report.has(file.identity)) continue;
    if (const auto facts = server.files().facts(file, server.settings(file.uri), server.client.encoding)) report.add(file.uri, std::nullopt, facts->diagnostics);
  }
  if (progress) progress->end(stop.stop_requested() ? "ended" : "done");
  if (stop.stop_requested()) throw Cancelled();
  return report.finish();
}

}  // namespace phobos::server
