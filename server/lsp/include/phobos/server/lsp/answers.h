// What the features find, as the protocol has it; as text, where it may be much or is asked for at each key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <phobos/ide/call_hierarchy.h>
#include <phobos/ide/completion.h>
#include <phobos/ide/hierarchy.h>
#include <phobos/ide/inlay_hints.h>
#include <phobos/ide/lenses.h>
#include <phobos/ide/navigation.h>
#include <phobos/ide/rename.h>
#include <phobos/ide/signature_help.h>
#include <phobos/ide/structure.h>
#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/writer.h>

namespace phobos::server::lsp {

// navigation.cpp
Json target_result(const ide::Target& target, const std::string& uri, bool links, const Border& border);
bool wants_declaration(const Json& params);  // of a request for references
Json references_result(const std::vector<ide::Reference>& references, const std::string& uri, const Border& border);
Json highlights_result(const std::vector<ide::Reference>& references, const Border& border);

// semantic_tokens.cpp; `name`: by which the client will speak of this answer, may be empty
void append_tokens(std::string& out, const std::vector<std::uint32_t>& data, const std::string& name);
void append_token_edit(std::string& out, std::size_t begin, std::size_t removed, const std::vector<std::uint32_t>& data, const std::string& name);

// calls.cpp
Json call_item_result(const ide::CallItem& item, const std::string& uri, const Border& border);
Json calls_result(const std::vector<ide::Call>& calls, const char* end, const std::string& uri, const Border& border);
std::string name_of_call_item(const Json& params);
struct Link {
  Range range;
  std::string target;
};
Json to_json(const Link& link);
void append_lenses(std::string& out, const std::vector<ide::Lens>& lenses, const std::string& uri, const InitializeParams& client, const Border& border);

// structure.cpp
// `start`: where the item begins.
ItemText outline_text(const ide::OutlineSymbol& symbol, const Border& border, Position start);
std::string query_of(const Json& params);
void add_workspace_symbols(const std::vector<ide::OutlineSymbol>& symbols, const std::string& uri, const Border& border, Json& into);
std::string name_of_symbol(const Json& symbol);
void append_folding(std::string& out, const std::vector<ide::FoldingRange>& ranges, const Border& border);
std::vector<Position> positions_of(const Json& params);
Json selection_result(const std::vector<Span>& spans, const Border& border);
void append_hints(std::string& out, const std::vector<ide::InlayHint>& hints, const std::string& uri, const Border& border);
std::optional<std::uint32_t> hinted_place(const Json& hint);
Json explained(Json hint, const std::string& tooltip);

// hierarchy.cpp
ide::HierarchyRequest hierarchy_request(const Json& params);
Json hierarchy_result(const ide::Hierarchy& found, const Border& border);

// rename.cpp
Json renameable_result(const ide::Renameable& found, const Border& border);
std::string new_name(const Json& params);

// completion.cpp
void append_completions(std::string& out, const ide::Completions& found, const std::string& uri, const InitializeParams& client, const Border& border);
struct OfferedItem {
  std::string label;
  ide::CompletionItem::Sort sort;
  std::uint32_t at;  // the place it was offered at
};
// What an item that comes back was; none where it is no offer of ours.
std::optional<OfferedItem> offered_item(const Json& item);
Json documented(Json item, const std::string& documentation);
Json signature_result(const ide::SignatureHelp& help);

}  // namespace phobos::server::lsp
