#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

Json location(const std::string& uri, const Range& range) {
  return {{"uri", uri}, {"range", to_json(range)}};
}

constexpr int read_kind = 2, write_kind = 3;  // of a highlight

}  // namespace

Json target_result(const ide::Target& target, const std::string& uri, bool links, const Border& border) {
  if (!links) return location(uri, border.range(target.name));
  return Json::array({{{"originSelectionRange", to_json(border.range(target.from))},
                       {"targetUri", uri},
                       {"targetRange", to_json(border.range(target.whole))},
                       {"targetSelectionRange", to_json(border.range(target.name))}}});
}

bool wants_declaration(const Json& params) {
  const Json* context = find(params, "context");
  const Json* wanted = context ? find(*context, "includeDeclaration") : nullptr;
  return wanted == nullptr || !wanted->is_boolean() || wanted->get<bool>();
}

Json references_result(const std::vector<ide::Reference>& references, const std::string& uri, const Border& border) {
  Json result = Json::array();
  for (const ide::Reference& each : references) result.push_back(location(uri, border.range(each.span)));
  return result;
}

Json highlights_result(const std::vector<ide::Reference>& references, const Border& border) {
  Json result = Json::array();
  for (const ide::Reference& each : references)
    result.push_back({{"range", to_json(border.range(each.span))}, {"kind", each.role == ide::Role::Read ? read_kind : write_kind}});
  return result;
}

}  // namespace phobos::server::lsp
