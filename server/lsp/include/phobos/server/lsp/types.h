// The parts of the protocol that the server speaks, as types, and their JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/server/lsp/border.h>
#include <phobos/server/lsp/json.h>

namespace phobos::server::lsp {

// --- from the client -----------------------------------------------------------------------------------------------------

struct InitializeParams {
  Encoding encoding = Encoding::Utf16;  // the first of the client's that we know
  bool versioned_edits = false;         // workspace.workspaceEdit.documentChanges
  bool markdown_hover = true;
  bool pulls_diagnostics = false;       // textDocument.diagnostic: then nothing is pushed
  bool versioned_diagnostics = false;   // textDocument.publishDiagnostics.versionSupport: the version is part of what is told
  bool takes_progress = false;          // window.workDoneProgress
  bool answers_configuration = false;   // workspace.configuration
  bool registers_configuration = false, registers_files = false;  // …dynamicRegistration of didChangeConfiguration, didChangeWatchedFiles
  bool refreshes_diagnostics = false, refreshes_hints = false, refreshes_lenses = false, refreshes_tokens = false;
  std::vector<std::string> folders;     // URIs of the workspace's folders, or of its root
  bool runs_by_server = false;          // initializationOptions.runCommands is "server": it shows results as messages
  Json settings;                        // initializationOptions
  bool snippets = false;  // textDocument.completion.completionItem.snippetSupport
  bool resolves_edits = false;  // textDocument.codeAction.resolveSupport has `edit`
  std::vector<std::string> commands{"phobos.run"};  // capabilities.experimental.commands
  bool has_command(std::string_view command) const;
  bool lexical_tokens = false;  // textDocument.semanticTokens.augmentsSyntaxTokens is false: it has no colours but ours
  bool replaces = false;  // textDocument.completion.completionItem.insertReplaceSupport
  bool links = false;  // textDocument.definition.linkSupport
};
struct FolderChange {
  std::vector<std::string> added, removed;  // URIs
};
struct OpenParams {
  std::string uri, text;
  std::optional<std::int64_t> version;
};
struct Change {
  std::optional<Range> range;  // none: the whole text
  std::string text;
};
struct ChangeParams {
  std::string uri;
  std::optional<std::int64_t> version;
  std::vector<Change> changes;
};
struct SaveParams {
  std::string uri;
  std::optional<std::string> text;
};
struct DocumentParams {
  std::string uri;
};
struct PositionParams {
  std::string uri;
  Position position;
};
struct CodeActionParams {
  std::string uri;
  Range range;
  std::vector<std::string> only;  // kinds; none: all
  bool wants(std::string_view kind) const;  // or what it is a kind of
};

InitializeParams initialize_params(const Json& params);
FolderChange folder_change(const Json& params);
// A client that can take all that there is.
InitializeParams able_client();
OpenParams open_params(const Json& params);
ChangeParams change_params(const Json& params);
SaveParams save_params(const Json& params);
DocumentParams document_params(const Json& params);
PositionParams position_params(const Json& params);
CodeActionParams code_action_params(const Json& params);
// Of pulled diagnostics: what the client has of a document, and of each document.
std::optional<std::string> previous_result_id(const Json& params);
std::map<std::string, std::string> previous_result_ids(const Json& params);  // by identity
std::vector<std::string> watched_uris(const Json& params);
// An action that comes back for its edit.
struct WantedAction {
  CodeActionParams params;
  std::string title;
  std::optional<Range> place;  // of the diagnostic that it mends
};
std::optional<WantedAction> code_action_of(const Json& action);
Range range_params(const Json& params);
std::string trigger_of(const Json& params);  // the character that made the client ask for completions; empty: none did
char typed_character(const Json& params);  // of formatting on type; 0 for any that is not one byte
// The document that a message is about, or the item that it comes back with; never throws.
std::optional<std::string> uri_of_params(const Json& params);

// --- to the client -------------------------------------------------------------------------------------------------------

struct Hover {
  std::string text;
  bool markdown = true;
  Range range;
};
struct Action {
  std::string title, kind;
  std::optional<diag::Diagnostic> diagnostic;  // that it mends
  bool is_preferred = false;
  std::vector<Edit> edits;
};
struct DocumentName {
  std::string uri;
  std::optional<std::int64_t> version;
};

// `features`: what is said of the features.
Json initialize_result(const InitializeParams& client, std::string_view version, Json features);
Json to_json(const Range& range);
Json to_json(const Hover& hover);
// An LSP Diagnostic, as the server and `phobos check --json` give it.
Json to_json(const diag::Diagnostic& diagnostic, const std::string& uri, const Border& border);
Json to_json(const std::vector<Edit>& edits, const Border& border);
// Without the edit.
Json to_json(const Action& action, const DocumentName& document, const Border& border);
Json resolve_data(const DocumentName& document, const Range& range);
// A WorkspaceEdit of one document; the spans are of its text.
Json workspace_edit(const std::vector<Edit>& edits, const DocumentName& document, bool versioned_edits, const Border& border);
Json live_diagnostics(const std::string& uri, const std::vector<diag::Diagnostic>& diagnostics, const Border& border);
Json publish_params(const DocumentName& document, Json diagnostics);
// A report of pulled diagnostics; `previous` is the client's last one of the document, of which nothing is told again.
Json diagnostic_report(Json items, const std::optional<std::string>& previous);
// Of one document of many; `version`: null for one that is not open.
Json workspace_report(const std::string& uri, const std::optional<std::int64_t>& version, Json report);
Json workspace_diagnostic_result(std::vector<Json> reports);  // the same for a part of it
// What the client gave to be told of the progress of a request, and to be given its answer in parts; null where it gave none.
Json work_done_token(const Json& params);
Json partial_result_token(const Json& params);
// What is registered with the client once it is there.
std::vector<Json> registrations(const InitializeParams& client);
// The section of each folder behind the section of the user.
Json configuration_params(const std::vector<std::string>& folders);
Json status_result(std::string_view version, std::size_t documents, std::size_t turns, double longest_turn_ms, std::string_view longest_turn);
Json progress_params(const Json& token, Json value);
Json progress_begin(std::string_view title);
Json progress_report(std::int64_t percent);
Json progress_message(std::string_view message);
Json progress_end(std::string_view message);
Json token_params(const Json& token);
std::optional<Json> token_of(const Json& params);
Json log_params(std::string_view message);

template <class T>
Json array_of(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace phobos::server::lsp
