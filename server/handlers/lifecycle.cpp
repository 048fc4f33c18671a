#include "handlers.h"

namespace phobos::server {

lsp::Json initialize(Server& server, const lsp::Json& params, std::stop_token) {
  server.client = lsp::initialize_params(params);
  server.state = Server::State::Running;
  return lsp::initialize_result(server.client.encoding, PHOBOS_VERSION);
}

lsp::Json shutdown(Server& server, const lsp::Json&, std::stop_token) {
  server.state = Server::State::ShutDown;
  return nullptr;
}

void exit(Server& server, const lsp::Json&) {
  server.exited = true;
}

void nothing(Server&, const lsp::Json&) {}

}  // namespace phobos::server
