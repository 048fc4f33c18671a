#include <phobos/server/lsp/answers.h>

#include <algorithm>
#include <array>

namespace phobos::server::lsp {

namespace {

using ide::CompletionItem;
using Sort = CompletionItem::Sort;

// CompletionItemKind, by Sort.
constexpr std::array kinds = {6, 6, 25, 21, 3, 3, 5, 10, 7, 14, 12, 17};
constexpr int snippet_format = 2;

Json markdown(const std::string& text) {
  return {{"kind", "markdown"}, {"value", text}};
}

}  // namespace

Json completions_result(const ide::Completions& found, const std::string& uri, const InitializeParams& client, const Border& border) {
  const Json insert = to_json(border.range(found.replaced)), replace = to_json(border.range({found.replaced.begin, std::max(found.word_end, found.replaced.end)}));
  const bool snippets = client.snippets;
  const std::uint32_t at = found.replaced.end;
  Json items = Json::array();
  for (const CompletionItem& each : found.items) {
    Json item = {{"label", each.label}, {"kind", kinds[static_cast<std::size_t>(each.sort)]}, {"sortText", each.rank},
                 {"data", {{"uri", uri}, {"sort", static_cast<std::uint32_t>(each.sort)}, {"at", at}}}};
    if (!each.detail.empty()) item["detail"] = each.detail;
    if (!each.kind.empty()) item["labelDetails"] = {{"description", each.kind}};
    const bool is_snippet = snippets && each.snippet.find('$') != std::string::npos;
    if (is_snippet) item["insertTextFormat"] = snippet_format;
    const std::string text = each.snippet.empty() ? each.label : is_snippet ? each.snippet : ide::without_placeholders(each.snippet);
    item["textEdit"] = client.replaces ? Json{{"insert", insert}, {"replace", replace}, {"newText", text}} : Json{{"range", replace}, {"newText", text}};
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", found.incomplete}, {"items", std::move(items)}};
}

std::optional<OfferedItem> offered_item(const Json& item) {
  const Json* data = find(item, "data");
  if (data == nullptr) return std::nullopt;
  const std::uint32_t sort = uint_at(*data, "sort");
  if (sort >= kinds.size()) throw InvalidParams("`data.sort` is none of ours");
  return OfferedItem{string_at(item, "label"), static_cast<Sort>(sort), uint_at(*data, "at")};
}

Json documented(Json item, const std::string& documentation) {
  if (!documentation.empty()) item["documentation"] = markdown(documentation);
  return item;
}

Json signature_result(const ide::SignatureHelp& help) {
  Json signatures = Json::array();
  for (const ide::SignatureFacts& each : help.signatures) {
    Json parameters = Json::array();
    for (std::size_t i = 0; i < each.parameters.size(); ++i) {
      const Span parameter = each.parameters[i];
      Json& row = parameters.emplace_back(Json{{"label", each.label.substr(parameter.begin, parameter.size())}});
      if (i < each.of_parameters.size() && !each.of_parameters[i].empty()) row["documentation"] = markdown(each.of_parameters[i]);
    }
    Json signature = {{"label", each.label}, {"parameters", std::move(parameters)}};
    if (!each.documentation.empty()) signature["documentation"] = markdown(each.documentation);
    signatures.push_back(std::move(signature));
  }
  return {{"signatures", std::move(signatures)}, {"activeSignature", help.signature}, {"activeParameter", help.parameter}};
}

}  // namespace phobos::server::lsp
