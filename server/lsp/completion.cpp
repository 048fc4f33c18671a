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

void append_completions(std::string& out, const ide::Completions& found, const std::string& uri, const InitializeParams& client, const Border& border) {
  std::string document, place;
  append_string(document, uri);
  if (client.replaces) {
    place = "\"insert\":";
    append_range(place, border.range(found.replaced));
  }
  place += client.replaces ? ",\"replace\":" : "\"range\":";
  append_range(place, border.range({found.replaced.begin, std::max(found.word_end, found.replaced.end)}));
  out += found.incomplete ? "{\"isIncomplete\":true,\"items\":[" : "{\"isIncomplete\":false,\"items\":[";
  const std::size_t begin = out.size();
  for (const CompletionItem& each : found.items) {
    append_comma(out, begin);
    out += "{\"label\":";
    append_string(out, each.label);
    out += ",\"kind\":";
    append_number(out, static_cast<std::uint64_t>(kinds[static_cast<std::size_t>(each.sort)]));
    out += ",\"sortText\":";
    append_string(out, each.rank);
    out += ",\"data\":{\"uri\":" + document + ",\"sort\":";
    append_number(out, static_cast<std::uint64_t>(each.sort));
    out += ",\"at\":";
    append_number(out, found.replaced.end);
    out += '}';
    if (!each.detail.empty()) {
      out += ",\"detail\":";
      append_string(out, each.detail);
    }
    if (!each.kind.empty()) {
      out += ",\"labelDetails\":{\"description\":";
      append_string(out, each.kind);
      out += '}';
    }
    const bool is_snippet = client.snippets && each.snippet.find('$') != std::string::npos;
    if (is_snippet) {
      out += ",\"insertTextFormat\":";
      append_number(out, snippet_format);
    }
    out += ",\"textEdit\":{" + place + ",\"newText\":";
    append_string(out, each.snippet.empty() ? each.label : is_snippet ? each.snippet : ide::without_placeholders(each.snippet));
    out += "}}";
  }
  out += "]}";
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
