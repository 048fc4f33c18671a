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
Json lenses_result(const std::vector<ide::Lens>& lenses, const std::string& uri, const InitializeParams& client, const Border& border) {
  Json result = Json::array();
  for (const ide::Lens& each : lenses) {
    const std::string command(command_of(each.action));
    if (!client.has_command(command)) continue;
    Json target = {{"uri", uri}, {"kernel", each.kernel}};
    if (each.run_line) target["runLine"] = *each.run_line;
    result.push_back({{"range", to_json(border.range(each.place))},
                      {"command", {{"title", each.title}, {"command", command}, {"arguments", Json::array({std::move(target)})}}}});
  }
  return result;
}

}  // namespace phobos::server::lsp
