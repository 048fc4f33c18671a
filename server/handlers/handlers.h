// Which message is handled by whom, but for the features (features.h).
#pragma once

#include <stop_token>
#include <string_view>

#include "server.h"

namespace phobos::server {

// What has to be known before it runs.
enum class Needs { ItsDocument, AllDocuments };

struct RequestHandler {
  std::string_view method;
  lsp::Json (*run)(Server&, const lsp::Json& params, std::stop_token stop);
  Lane lane = Lane::Typing;
  Needs needs = Needs::ItsDocument;
  const Feature* feature = nullptr;  // in place of `run`
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
void initialized(Server&, const lsp::Json& params);
void nothing(Server&, const lsp::Json& params);
lsp::Json status(Server&, const lsp::Json& params, std::stop_token);

// configuration.cpp
void did_change_configuration(Server&, const lsp::Json& params);
void did_change_watched_files(Server&, const lsp::Json& params);
void did_change_folders(Server&, const lsp::Json& params);

// pull_diagnostics.cpp
lsp::Json document_diagnostic(Server&, const lsp::Json& params, std::stop_token);
lsp::Json workspace_diagnostic(Server&, const lsp::Json& params, std::stop_token);

// workspace_symbol.cpp
lsp::Json workspace_symbol(Server&, const lsp::Json& params, std::stop_token);

// text_sync.cpp
void did_open(Server&, const lsp::Json& params);
void did_change(Server&, const lsp::Json& params);
void did_save(Server&, const lsp::Json& params);
void did_close(Server&, const lsp::Json& params);

}  // namespace phobos::server
