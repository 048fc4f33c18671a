// Which message is handled by whom. A feature is one file and one row.
#pragma once

#include <stop_token>
#include <string_view>

#include "server.h"

namespace phobos::server {

struct RequestHandler {
  std::string_view method;
  lsp::Json (*run)(Server&, const lsp::Json& params, std::stop_token stop);
};
struct NotificationHandler {
  std::string_view method;
  void (*run)(Server&, const lsp::Json& params);
};
const RequestHandler* request_handler(std::string_view method);
const NotificationHandler* notification_handler(std::string_view method);

// lifecycle.cpp
lsp::Json initialize(Server&, const lsp::Json& params, std::stop_token);
lsp::Json shutdown(Server&, const lsp::Json& params, std::stop_token);
void exit(Server&, const lsp::Json& params);
void nothing(Server&, const lsp::Json& params);

// text_sync.cpp
void did_open(Server&, const lsp::Json& params);
void did_change(Server&, const lsp::Json& params);
void did_save(Server&, const lsp::Json& params);
void did_close(Server&, const lsp::Json& params);

// One file each.
lsp::Json hover(Server&, const lsp::Json& params, std::stop_token);
lsp::Json code_action(Server&, const lsp::Json& params, std::stop_token);
lsp::Json code_lens(Server&, const lsp::Json& params, std::stop_token);
lsp::Json document_symbol(Server&, const lsp::Json& params, std::stop_token);

}  // namespace phobos::server
