#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

constexpr int function_kind = 12;

std::string_view command_of(ide::Lens::Action action) {
  switch (action) {
    case ide::Lens::Action::Run: return "phobos.run";
    case ide::Lens::Action::Simulate: return "phobos.simulate";
    case ide::Lens::Action::Compare: return "phobos.compare";
    case ide::Lens::Action::Step: return "phobos.step";
    case ide::Lens::Action::Tune: return "phobos.tune";
    default: return "phobos.report";
  }
}

}  // namespace

Json call_item_result(const ide::CallItem& item, const std::string& uri, const Border& border) {
  return {{"name", item.name}, {"kind", function_kind}, {"detail", item.detail}, {"uri", uri},
          {"range", to_json(border.range(item.whole))}, {"selectionRange", to_json(border.range(item.place))}};
}

Json calls_result(const std::vector<ide::Call>& calls, const char* end, const std::string& uri, const Border& border) {
  Json result = Json::array();
  for (const ide::Call& each : calls) {
    Json places = Json::array();
    for (const Span place : each.places) places.push_back(to_json(border.range(place)));
    result.push_back({{end, call_item_result(each.other, uri, border)}, {"fromRanges", std::move(places)}});
  }
  return result;
}

std::string name_of_call_item(const Json& params) {
  return string_at(member(params, "item"), "name");
}

Json to_json(const Link& link) {
  return {{"range", to_json(link.range)}, {"target", link.target}};
}

// A command that the client has not is no lens.
void append_lenses(std::string& out, const std::vector<ide::Lens>& lenses, const std::string& uri, const InitializeParams& client, const Border& border) {
  std::string document;
  append_string(document, uri);
  out += '[';
  const std::size_t begin = out.size();
  for (const ide::Lens& each : lenses) {
    const std::string_view command = command_of(each.action);
    if (!client.has_command(command)) continue;
    append_comma(out, begin);
    out += "{\"range\":";
    append_range(out, border.range(each.place));
    out += ",\"command\":{\"title\":";
    append_string(out, each.title);
    out += ",\"command\":";
    append_string(out, command);
    out += ",\"arguments\":[{\"uri\":" + document + ",\"kernel\":";
    append_string(out, each.kernel);
    if (each.run_line) {
      out += ",\"runLine\":";
      append_number(out, *each.run_line);
    }
    out += "}]}}";
  }
  out += ']';
}

}  // namespace phobos::server::lsp
