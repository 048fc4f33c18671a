#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

constexpr std::size_t most_positions = 1000;  // of one request

}  // namespace

Json outline_result(const std::vector<ide::OutlineSymbol>& symbols, const Border& border) {
  using Sort = ide::OutlineSymbol::Sort;
  constexpr int function_kind = 12, variable_kind = 13, constant_kind = 14;
  Json result = Json::array();
  for (const ide::OutlineSymbol& each : symbols) {
    const int kind = each.sort == Sort::Constant ? constant_kind : each.sort == Sort::Parameter ? variable_kind : function_kind;
    Json symbol = {{"name", each.name}, {"kind", kind}, {"range", to_json(border.range(each.whole))}, {"selectionRange", to_json(border.range(each.place))}};
    if (!each.detail.empty()) symbol["detail"] = each.detail;
    if (!each.children.empty()) symbol["children"] = outline_result(each.children, border);
    result.push_back(std::move(symbol));
  }
  return result;
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
Json folding_result(const std::vector<ide::FoldingRange>& ranges, const Border& border) {
  Json result = Json::array();
  for (const ide::FoldingRange& each : ranges) {
    const Range range = border.range(each.span);
    const std::uint32_t last = each.comment ? range.end.line : range.end.line - 1;
    if (last <= range.start.line) continue;
    Json fold = {{"startLine", range.start.line}, {"endLine", last}};
    if (each.comment) fold["kind"] = "comment";
    result.push_back(std::move(fold));
  }
  return result;
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

Json hints_result(const std::vector<ide::InlayHint>& hints, const std::string& uri, const Border& border) {
  constexpr int type_kind = 1, parameter_kind = 2;
  Json result = Json::array();
  for (const ide::InlayHint& each : hints) {
    const bool name = each.sort == ide::InlayHint::Sort::ParameterName;
    Json hint = {{"position", to_json(border.range({each.at, each.at}))["start"]},
                 {"label", each.text},
                 {"data", {{"uri", uri}, {"at", each.about}}}};
    if (name) hint["paddingRight"] = true;
    if (each.sort != ide::InlayHint::Sort::Constant) hint["kind"] = name ? parameter_kind : type_kind;
    result.push_back(std::move(hint));
  }
  return result;
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
