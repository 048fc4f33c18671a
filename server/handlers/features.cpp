#include "features.h"

#include <algorithm>

namespace phobos::server {

namespace {

using Of = Feature::Of;

template <auto write>
Json parsed(const Asked& asked, const Json& params) {
  std::string text;
  write(asked, params, text);
  return Json::parse(text);
}

constexpr Feature all[] = {
    {"textDocument/hover", hover, Of::Position, Lane::Typing, "hoverProvider", "true", nullptr, hover_reads_disk},
    {"textDocument/completion", parsed<completion>, Of::Position, Lane::Typing, "completionProvider", R"({"resolveProvider": true, "triggerCharacters": [".", "@", "<", "=", "/"]})", completion, completion_reads_disk},
    {"completionItem/resolve", completion_resolve, Of::Item, Lane::Typing, ""},
    {"textDocument/signatureHelp", signature_help, Of::Position, Lane::Typing, "signatureHelpProvider", R"({"triggerCharacters": ["(", ","], "retriggerCharacters": [","]})"},
    {"textDocument/definition", definition, Of::Position, Lane::Typing, "definitionProvider"},
    {"textDocument/declaration", definition, Of::Position, Lane::Typing, "declarationProvider"},
    {"textDocument/typeDefinition", type_definition, Of::Position, Lane::Typing, "typeDefinitionProvider"},
    {"textDocument/references", references, Of::Position, Lane::Whole, "referencesProvider"},
    {"textDocument/documentHighlight", document_highlight, Of::Position, Lane::Whole, "documentHighlightProvider"},
    {"textDocument/rename", rename, Of::Position, Lane::Whole, "renameProvider", R"({"prepareProvider": true})"},
    {"textDocument/prepareRename", prepare_rename, Of::Position, Lane::Typing, ""},
    {"textDocument/inlayHint", parsed<inlay_hint>, Of::Range, Lane::Whole, "inlayHintProvider", R"({"resolveProvider": true})", inlay_hint},
    {"inlayHint/resolve", inlay_hint_resolve, Of::Item, Lane::Typing, ""},
    {"textDocument/foldingRange", parsed<folding_range>, Of::Document, Lane::Whole, "foldingRangeProvider", "true", folding_range},
    {"textDocument/selectionRange", selection_range, Of::Positions, Lane::Typing, "selectionRangeProvider"},
    {"textDocument/formatting", formatting, Of::Document, Lane::Whole, "documentFormattingProvider"},
    {"textDocument/rangeFormatting", range_formatting, Of::Range, Lane::Whole, "documentRangeFormattingProvider"},
    {"textDocument/onTypeFormatting", on_type_formatting, Of::Position, Lane::Whole, "documentOnTypeFormattingProvider", R"({"firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"]})"},
    {"textDocument/documentSymbol", parsed<document_symbol>, Of::Document, Lane::Whole, "documentSymbolProvider", "true", document_symbol},
    {"textDocument/codeAction", code_action, Of::Range, Lane::Slow, "codeActionProvider", R"({"codeActionKinds": ["quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.fixAll.phobos"], "resolveProvider": true})"},
    {"codeAction/resolve", code_action_resolve, Of::Item, Lane::Slow, ""},
    {"textDocument/prepareCallHierarchy", prepare_call_hierarchy, Of::Position, Lane::Typing, "callHierarchyProvider"},
    {"callHierarchy/incomingCalls", incoming_calls, Of::Item, Lane::Whole, ""},
    {"callHierarchy/outgoingCalls", outgoing_calls, Of::Item, Lane::Whole, ""},
    {"textDocument/documentLink", document_link, Of::Document, Lane::Whole, "documentLinkProvider", R"({"resolveProvider": false})"},
    {"textDocument/codeLens", parsed<code_lens>, Of::Document, Lane::Whole, "codeLensProvider", R"({"resolveProvider": false})", code_lens},
    {"textDocument/semanticTokens/full", parsed<semantic_tokens>, Of::Document, Lane::Whole, "semanticTokensProvider",
     R"({"full": {"delta": true}, "range": true, "legend": {
       "tokenTypes": ["function", "parameter", "variable", "typeParameter", "property", "decorator", "type", "keyword", "comment", "number", "operator"],
       "tokenModifiers": ["declaration", "readonly", "static", "modification", "defaultLibrary", "uniform", "warpUniform", "varying"]}})", semantic_tokens},
    {"textDocument/semanticTokens/full/delta", parsed<semantic_tokens_delta>, Of::Document, Lane::Whole, "", "true", semantic_tokens_delta},
    {"textDocument/semanticTokens/range", parsed<semantic_tokens_range>, Of::Range, Lane::Whole, "", "true", semantic_tokens_range},
    {"phobos/hierarchy", hierarchy, Of::Position, Lane::Whole, ""},
};

}  // namespace

std::span<const Feature> features() {
  return all;
}

const Feature* find_feature(std::string_view method) {
  const auto row = std::find_if(std::begin(all), std::end(all), [&](const Feature& each) { return each.method == method; });
  return row == std::end(all) ? nullptr : row;
}

lsp::Json params_of(const Feature& feature, const Asked& asked, Span span) {
  const lsp::Range range = asked.border().range(span);
  lsp::Json params = {{"textDocument", {{"uri", asked.document.uri}}}};
  if (feature.of == Of::Position) params["position"] = lsp::to_json(range)["start"];
  if (feature.of == Of::Positions) params["positions"] = Json::array({lsp::to_json(range)["start"]});
  if (feature.of == Of::Range) params["range"] = lsp::to_json(range);
  return params;
}

lsp::Json feature_capabilities() {
  lsp::Json capabilities = lsp::Json::object();
  for (const Feature& each : all)
    if (!each.capability.empty()) capabilities[std::string(each.capability)] = lsp::Json::parse(each.options);
  return capabilities;
}

}  // namespace phobos::server
