// The parts of the protocol that the server speaks, as types, and their JSON.
#pragma once

#include <cstdint>
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
  bool wants_quick_fixes = true;  // by context.only
};

InitializeParams initialize_params(const Json& params);
OpenParams open_params(const Json& params);
ChangeParams change_params(const Json& params);
SaveParams save_params(const Json& params);
DocumentParams document_params(const Json& params);
PositionParams position_params(const Json& params);
CodeActionParams code_action_params(const Json& params);
// The document that a message is about, if any; never throws.
std::optional<std::string> uri_of_params(const Json& params);

// --- to the client -------------------------------------------------------------------------------------------------------

struct Hover {
  std::string text;
  bool markdown = true;
  Range range;
};
struct Lens {
  Range range;
  std::string title;
  std::string uri, kernel;
  std::optional<int> run_line;  // the index of one of the kernel's run lines
};
struct Symbol {
  enum class Kind { Function = 12, Variable = 13, Constant = 14 };
  std::string name, detail;
  Kind kind = Kind::Function;
  Range range, selection;
  std::vector<Symbol> children;
};
struct QuickFix {
  const diag::Diagnostic* diagnostic = nullptr;
  const diag::Fix* fix = nullptr;
};
struct DocumentName {
  std::string uri;
  std::optional<std::int64_t> version;
};

Json initialize_result(Encoding encoding, std::string_view version);
Json to_json(const Range& range);
Json to_json(const Hover& hover);
Json to_json(const Lens& lens);
Json to_json(const Symbol& symbol);
// An LSP Diagnostic, as the server and `phobos check --json` give it.
Json to_json(const diag::Diagnostic& diagnostic, const std::string& uri, const Border& border);
Json to_json(const QuickFix& fix, const DocumentName& document, bool versioned_edits, const Border& border);
Json publish_params(const DocumentName& document, const std::vector<diag::Diagnostic>& diagnostics, const Border& border);
Json log_params(std::string_view message);

template <class T>
Json array_of(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace phobos::server::lsp
