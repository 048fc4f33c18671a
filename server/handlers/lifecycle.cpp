#include <phobos/server/handlers/features.h>

#include "handlers.h"

namespace phobos::server {

lsp::Json initialize(Server& server, const lsp::Json& params, std::stop_token) {
  server.client = lsp::initialize_params(params);
  server.change_folders([&](std::vector<std::string>& folders) { folders = server.client.folders; });
  server.take_settings(server.client.settings);
  server.state = Server::State::Running;
  return lsp::initialize_result(server.client, PHOBOS_VERSION, feature_capabilities());
}

// Only from here on may the client be asked for anything.
void initialized(Server& server, const lsp::Json&) {
  for (lsp::Json& params : lsp::registrations(server.client)) server.request_client("client/registerCapability", std::move(params));
  server.ask_for_settings();
}

lsp::Json shutdown(Server& server, const lsp::Json&, std::stop_token) {
  server.state = Server::State::ShutDown;
  return nullptr;
}

void exit(Server& server, const lsp::Json&) {
  server.exited = true;
}

lsp::Json status(Server& server, const lsp::Json& params, std::stop_token) {
  const Server::Turns turns = server.turns();
  if (lsp::find(params, "reset") != nullptr) server.forget_turns();
  return lsp::status_result(PHOBOS_VERSION, server.workspace.documents().size(), turns.count, turns.longest_ms, turns.longest);
}

void nothing(Server&, const lsp::Json&) {}

}  // namespace phobos::server
