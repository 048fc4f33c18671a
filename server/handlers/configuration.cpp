// Settings, files and folders: what changes in the client beside its texts. Nothing of it needs a new start.
#include <algorithm>

#include <fmt/format.h>

#include "handlers.h"

namespace phobos::server {

std::shared_ptr<const lsp::Settings> Server::settings(const std::string& uri) {
  const std::string identity = lsp::identity_of(uri);
  const std::lock_guard lock(settings_mutex_);
  std::shared_ptr<const lsp::Settings> found = settings_;
  std::size_t longest = 0;
  for (const auto& [folder, settings] : folder_settings_) {
    if (folder.size() < longest || !identity.starts_with(folder) || (identity.size() > folder.size() && identity[folder.size()] != '/')) continue;
    longest = folder.size();
    found = settings;
  }
  return found;
}

void Server::take_settings(const lsp::Json& given, FolderSettings of_folders) {
  auto fresh = std::make_shared<const lsp::Settings>(given);
  std::erase_if(of_folders, [&](const auto& each) { return *each.second == *fresh; });
  {
    const std::lock_guard lock(settings_mutex_);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first && *a.second == *b.second; };
    if (*fresh == *settings_ && std::equal(of_folders.begin(), of_folders.end(), folder_settings_.begin(), folder_settings_.end(), same)) return;
    settings_ = std::move(fresh);
    folder_settings_ = std::move(of_folders);
  }
  if (state != State::Running) return;
  for (const auto& [identity, document] : workspace.documents()) document->due = Clock::now();
  refresh_pulled();
  if (client.refreshes_hints) request_client("workspace/inlayHint/refresh", nullptr);
  if (client.refreshes_lenses) request_client("workspace/codeLens/refresh", nullptr);
}

void Server::refresh_pulled() {
  if (client.pulls_diagnostics && client.refreshes_diagnostics) request_client("workspace/diagnostic/refresh", nullptr);
}

std::vector<std::string> Server::folders() {
  const std::lock_guard lock(settings_mutex_);
  return folders_;
}

void Server::change_folders(const std::function<void(std::vector<std::string>&)>& change) {
  const std::lock_guard lock(settings_mutex_);
  change(folders_);
}

// The user's, and those of each folder. What a client does not know, or refuses, is as before.
void Server::ask_for_settings() {
  if (!client.answers_configuration) return;
  const std::vector<std::string> asked = folders();
  request_client("workspace/configuration", lsp::configuration_params(asked), [this, asked](const lsp::Json& answer, bool refused) {
    if (refused || !answer.is_array() || answer.empty() || !answer[0].is_object()) return;
    FolderSettings of_folders;
    for (std::size_t i = 0; i < asked.size() && i + 1 < answer.size(); ++i) {
      std::string identity = lsp::identity_of(asked[i]);
      while (identity.ends_with('/')) identity.pop_back();
      if (answer[i + 1].is_object()) of_folders[std::move(identity)] = std::make_shared<const lsp::Settings>(answer[i + 1]);
    }
    take_settings(answer[0], std::move(of_folders));
  });
}

void Server::request_client(std::string_view method, lsp::Json params, Answered then) {
  const std::string id = fmt::format("phobos-{}", ++asked_);
  asked_of_client_[id] = std::move(then);
  outbox_.send(lsp::request(id, method, std::move(params)));
}

// One that was not asked for, or twice, is nothing to speak of.
void Server::take_response(const lsp::Message& message) {
  if (!message.id.is_string()) return;
  const auto asked = asked_of_client_.find(message.id.get_ref<const std::string&>());
  if (asked == asked_of_client_.end()) return;
  const Answered then = std::move(asked->second);
  asked_of_client_.erase(asked);
  if (message.failed) log(fmt::format("the client refused a request: {}", lsp::error_text(message.params)));
  if (then) then(message.params, message.failed);
}

lsp::Json Server::new_progress_token(const lsp::Json& request) {
  std::string token = fmt::format("phobos-progress-{}", ++asked_);
  progress_requests_[token] = request;
  return token;
}

void Server::cancel_progress(const lsp::Json& token) {
  if (!token.is_string()) return;
  const auto request = progress_requests_.find(token.get<std::string>());
  if (request == progress_requests_.end()) return;
  if (requests_.cancel(request->second)) outbox_.send(lsp::error_reply(request->second, lsp::ErrorCode::RequestCancelled, "cancelled"));
  progress_requests_.erase(request);
}

void progress_cancelled(Server& server, const lsp::Json& params) {
  if (const auto token = lsp::token_of(params)) server.cancel_progress(*token);
}

void did_change_configuration(Server& server, const lsp::Json& params) {
  const lsp::Json* settings = lsp::find(params, "settings");
  const bool given = settings != nullptr && settings->is_object() && !settings->empty();
  const bool by_folder = server.client.answers_configuration && !server.folders().empty();  // which only asking tells
  if (given && !by_folder) server.take_settings(*settings);
  else server.ask_for_settings();
}

// A file that is open is what its editor says; what is on disk matters to pulled diagnostics of the others.
void did_change_watched_files(Server& server, const lsp::Json& params) {
  bool concerned = false;
  for (const std::string& uri : lsp::watched_uris(params))
    concerned = concerned || (lsp::scheme_of(uri) == "file" && server.workspace.find(lsp::identity_of(uri)) == nullptr);
  if (concerned) server.refresh_pulled();
}

void did_change_folders(Server& server, const lsp::Json& params) {
  const lsp::FolderChange change = lsp::folder_change(params);
  server.change_folders([&](std::vector<std::string>& folders) {
    for (const std::string& uri : change.removed)
      std::erase_if(folders, [&](const std::string& folder) { return lsp::identity_of(folder) == lsp::identity_of(uri); });
    folders.insert(folders.end(), change.added.begin(), change.added.end());
  });
  server.refresh_pulled();
  server.ask_for_settings();
}

}  // namespace phobos::server
