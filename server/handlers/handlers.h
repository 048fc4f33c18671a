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
// What is answered when a process of its own has done it.
struct RunHandler {
  std::string_view method;
  void (*start)(Server&, const lsp::Message& message, std::stop_token stop);
};
const RunHandler* run_handler(std::string_view method);
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

void progress_cancelled(Server&, const lsp::Json& params);

// run_requests.cpp
void start_run(Server&, const lsp::Message& message, std::stop_token stop);
void execute_command(Server&, const lsp::Message& message, std::stop_token stop);
void analyse_saved(Server&, const std::shared_ptr<Document>& document);

// explain.cpp
lsp::Json explain(Server&, const lsp::Json& params, std::stop_token stop);

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
