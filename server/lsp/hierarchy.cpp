#include <phobos/ide/hierarchy.h>
#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

namespace {

std::optional<std::array<std::int64_t, 3>> triple_in(const Json& params, const char* key) {
  const Json* value = find(params, key);
  if (value == nullptr || !value->is_array() || value->empty() || value->size() > 3) return std::nullopt;
  std::array<std::int64_t, 3> result{1, 1, 1};
  for (std::size_t i = 0; i < value->size(); ++i) {
    if (!(*value)[i].is_number_integer()) throw InvalidParams(std::string("`") + key + "` has whole numbers");
    result[i] = (*value)[i].get<std::int64_t>();
  }
  return result;
}

std::optional<std::int64_t> integer_at(const Json& params, const char* key) {
  const Json* value = find(params, key);
  return value != nullptr && value->is_number_integer() ? std::optional(value->get<std::int64_t>()) : std::nullopt;
}

Json numbers(const std::vector<ide::Hierarchy::Number>& list) {
  Json result = Json::array();
  for (const auto& each : list) result.push_back({{"name", each.name}, {"value", each.value}, {"assumed", each.assumed}});
  return result;
}

Json access_json(const ide::Hierarchy::Access& access, const Border& border) {
  static constexpr const char* reached[] = {"yes", "maybe", "no"};
  Json result = {{"range", to_json(border.range(access.range))},
                 {"tensor", access.tensor},
                 {"text", access.text},
                 {"store", access.store},
                 {"by", access.by_cta ? "cta" : "thread"},
                 {"reached", reached[static_cast<int>(access.reached)]}};
  if (access.atomic) result["atomic"] = true;
  if (access.flat) result["flat"] = true;
  if (!access.regions) return result;
  Json regions = Json::array();
  for (const auto& each : *access.regions)
    regions.push_back({{"first", each.starts.first}, {"last", each.starts.last}, {"step", each.starts.step}, {"length", each.length}, {"extent", each.extent}});
  result["regions"] = std::move(regions);
  return result;
}

}  // namespace

ide::HierarchyRequest hierarchy_request(const Json& params) {
  ide::HierarchyRequest request;
  request.pick = {triple_in(params, "block"), integer_at(params, "warp"), integer_at(params, "thread")};
  if (request.pick.block && find(params, "block")->size() < 3)  // axes that are left out are the first
    for (std::size_t i = find(params, "block")->size(); i < 3; ++i) (*request.pick.block)[i] = 0;
  request.grid = triple_in(params, "grid");
  if (request.grid)
    for (const std::int64_t count : *request.grid)
      if (count < 1 || count > (std::int64_t{1} << 31) - 1) throw InvalidParams("a grid has at least one CTA along each axis");
  if (const Json* given = find(params, "dimensions"); given != nullptr && given->is_object())
    for (const auto& [name, value] : given->items())
      if (value.is_number_integer()) request.dimensions[name] = value.get<std::int64_t>();
  if (const std::optional<std::int64_t> line = integer_at(params, "runLine"); line && *line >= 0) request.run_line = static_cast<std::size_t>(*line);
  return request;
}

Json hierarchy_result(const ide::Hierarchy& found, const Border& border) {
  Json ctx = Json::array(), tensors = Json::array(), accesses = Json::array();
  for (const auto& each : found.ctx) ctx.push_back({{"field", each.field}, {"value", each.value}, {"how", each.how}, {"kind", name_of(each.kind)}});
  for (const auto& each : found.tensors) tensors.push_back({{"name", each.name}, {"type", each.type}, {"extents", each.extents}});
  for (const auto& each : found.accesses) accesses.push_back(access_json(each, border));
  Json result = {{"kernel", found.kernel},
                 {"range", to_json(border.range(found.range))},
                 {"threads", found.threads},
                 {"wholeWarps", found.whole_warps},
                 {"launch", found.launch ? to_json(border.range(*found.launch)) : Json(nullptr)},
                 {"launchFault", found.launch_fault},
                 {"grid", found.grid ? Json(*found.grid) : Json(nullptr)},
                 {"gridHow", found.grid_how},
                 {"gridReason", found.grid_reason},
                 {"dimensions", numbers(found.dimensions)},
                 {"constants", numbers(found.constants)},
                 {"block", found.pick.block ? Json(*found.pick.block) : Json(nullptr)},
                 {"warp", found.pick.warp ? Json(*found.pick.warp) : Json(nullptr)},
                 {"thread", found.pick.thread ? Json(*found.pick.thread) : Json(nullptr)},
                 {"ctx", std::move(ctx)},
                 {"tensors", std::move(tensors)},
                 {"accesses", std::move(accesses)}};
  return result;
}

}  // namespace phobos::server::lsp
