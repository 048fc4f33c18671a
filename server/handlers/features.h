// The features' functions, one file each.
#pragma once

#include <phobos/server/handlers/features.h>

namespace phobos::server {

using lsp::Json;

Json code_action(const Asked&, const Json& params);
Json code_action_resolve(const Asked&, const Json& action);
void code_lens(const Asked&, const Json& params, std::string& out);
bool completion_reads_disk(std::string_view text, const lsp::Border& border, const Json& params);
void completion(const Asked&, const Json& params, std::string& out);
Json completion_resolve(const Asked&, const Json& item);
Json definition(const Asked&, const Json& params);
Json document_link(const Asked&, const Json& params);
Json document_highlight(const Asked&, const Json& params);
void document_symbol(const Asked&, const Json& params, std::string& out);
void folding_range(const Asked&, const Json& params, std::string& out);
Json formatting(const Asked&, const Json& params);
Json hierarchy(const Asked&, const Json& params);
Json hover(const Asked&, const Json& params);
bool hover_reads_disk(std::string_view text, const lsp::Border& border, const Json& params);
Json range_formatting(const Asked&, const Json& params);
Json references(const Asked&, const Json& params);
Json incoming_calls(const Asked&, const Json& params);
void inlay_hint(const Asked&, const Json& params, std::string& out);
Json inlay_hint_resolve(const Asked&, const Json& hint);
Json on_type_formatting(const Asked&, const Json& params);
Json outgoing_calls(const Asked&, const Json& params);
Json prepare_call_hierarchy(const Asked&, const Json& params);
Json prepare_rename(const Asked&, const Json& params);
Json rename(const Asked&, const Json& params);
Json selection_range(const Asked&, const Json& params);
void semantic_tokens(const Asked&, const Json& params, std::string& out);
void semantic_tokens_delta(const Asked&, const Json& params, std::string& out);
void semantic_tokens_range(const Asked&, const Json& params, std::string& out);
Json signature_help(const Asked&, const Json& params);
Json type_definition(const Asked&, const Json& params);

// hover.cpp; what is told of an offset
std::optional<lsp::Hover> hover_text(const Asked&, std::uint32_t offset);

}  // namespace phobos::server
