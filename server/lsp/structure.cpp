#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

constexpr std::size_t most_positions = 1000;  // of one request

}  // namespace

namespace {

void append_symbol(ItemText& item, const ide::OutlineSymbol& symbol, const Border& border, Position start) {
  using Sort = ide::OutlineSymbol::Sort;
  constexpr int function_kind = 12, variable_kind = 13, constant_kind = 14;
  std::string& out = item.text;
  out += "{\"name\":";
  append_string(out, symbol.name);
  out += ",\"kind\":";
  append_number(out, symbol.sort == Sort::Constant ? constant_kind : symbol.sort == Sort::Parameter ? variable_kind : function_kind);
  out += ",\"range\":";
  item.append_range(border.range(symbol.whole), start);
  out += ",\"selectionRange\":";
  item.append_range(border.range(symbol.place), start);
  if (!symbol.detail.empty()) {
    out += ",\"detail\":";
    append_string(out, symbol.detail);
  }
  if (!symbol.children.empty()) {
    out += ",\"children\":[";
    const std::size_t begin = out.size();
    for (const ide::OutlineSymbol& child : symbol.children) {
      append_comma(out, begin);
      append_symbol(item, child, border, start);
    }
    out += ']';
  }
  out += '}';
}

}  // namespace

ItemText outline_text(const ide::OutlineSymbol& symbol, const Border& border, Position start) {
  ItemText item;
  append_symbol(item, symbol, border, start);
  return item;
}

std::string query_of(const Json& params) {
  return string_at(params, "query");
}

void add_workspace_symbols(const std::vector<ide::OutlineSymbol>& symbols, const std::string& uri, const Border& border, Json& into) {
  for (const ide::OutlineSymbol& each : symbols)
    into.push_back({{"name", each.name}, {"kind", 12}, {"location", {{"uri", uri}, {"range", to_json(border.range(each.place))}}}});
}

std::string name_of_symbol(const Json& symbol) { return string_at(symbol, "name"); }

// A bracket that closes stays in sight.
void append_folding(std::string& out, const std::vector<ide::FoldingRange>& ranges, const Border& border) {
  out += '[';
  const std::size_t begin = out.size();
  for (const ide::FoldingRange& each : ranges) {
    const Range range = border.range(each.span);
    const std::uint32_t last = each.comment ? range.end.line : range.end.line - 1;
    if (last <= range.start.line) continue;
    append_comma(out, begin);
    out += "{\"startLine\":";
    append_number(out, range.start.line);
    out += ",\"endLine\":";
    append_number(out, last);
    out += each.comment ? ",\"kind\":\"comment\"}" : "}";
  }
  out += ']';
}

std::vector<Position> positions_of(const Json& params) {
  const Json& positions = member(params, "positions");
  if (!positions.is_array() || positions.size() > most_positions) throw InvalidParams("`positions` is no array of at most 1000");
  std::vector<Position> result;
  for (const Json& each : positions) result.push_back({uint_at(each, "line"), uint_at(each, "character")});
  return result;
}

Json selection_result(const std::vector<Span>& spans, const Border& border) {
  Json result;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    Json outer = std::move(result);
    result = {{"range", to_json(border.range(*span))}};
    if (!outer.is_null()) result["parent"] = std::move(outer);
  }
  return result;
}

void append_hints(std::string& out, const std::vector<ide::InlayHint>& hints, const std::string& uri, const Border& border) {
  constexpr int type_kind = 1, parameter_kind = 2;
  std::string document;
  append_string(document, uri);
  out += '[';
  const std::size_t begin = out.size();
  for (const ide::InlayHint& each : hints) {
    const bool name = each.sort == ide::InlayHint::Sort::ParameterName;
    append_comma(out, begin);
    out += "{\"position\":";
    append_position(out, border.position(each.at));
    out += ",\"label\":";
    append_string(out, each.text);
    if (name) out += ",\"paddingRight\":true";
    if (each.sort != ide::InlayHint::Sort::Constant) {
      out += ",\"kind\":";
      append_number(out, name ? parameter_kind : type_kind);
    }
    out += ",\"data\":{\"uri\":" + document + ",\"at\":";
    append_number(out, each.about);
    out += "}}";
  }
  out += ']';
}

std::optional<std::uint32_t> hinted_place(const Json& hint) {
  const Json* data = find(hint, "data");
  if (data == nullptr) return std::nullopt;
  return uint_at(*data, "at");
}

Json explained(Json hint, const std::string& tooltip) {
  if (!tooltip.empty()) hint["tooltip"] = {{"kind", "markdown"}, {"value", tooltip}};
  return hint;
}

}  // namespace phobos::server::lsp
