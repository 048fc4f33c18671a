// What the server asks of a client, and answers about itself.
#include <phobos/server/lsp/pulled.h>
#include <phobos/server/lsp/types.h>
#include <phobos/server/lsp/uri.h>

#include <fmt/format.h>

namespace phobos::server::lsp {

namespace {

// FNV-1a: the same list has the same name in every run.
std::string name_of(const Json& items) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : items.dump(-1, ' ', false, Json::error_handler_t::replace)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

Json registration(std::string_view id, std::string_view method, Json options) {
  return {{"registrations", Json::array({{{"id", id}, {"method", method}, {"registerOptions", std::move(options)}}})}};
}

}  // namespace

Json diagnostic_report(Json items, const std::optional<std::string>& previous) {
  std::string name = name_of(items);
  if (previous == name) return {{"kind", "unchanged"}, {"resultId", std::move(name)}};
  return {{"kind", "full"}, {"resultId", std::move(name)}, {"items", std::move(items)}};
}

std::map<std::string, std::string> previous_uris(const Json& params) {
  std::map<std::string, std::string> uris;
  if (const Json* list = find(params, "previousResultIds"); list != nullptr && list->is_array())
    for (const Json& each : *list) {
      std::string uri = string_at(each, "uri");
      uris[identity_of(uri)] = std::move(uri);
    }
  return uris;
}

Json workspace_report(const std::string& uri, const std::optional<std::int64_t>& version, Json report) {
  report["uri"] = uri;
  report["version"] = version ? Json(*version) : Json(nullptr);
  return report;
}

Json work_done_token(const Json& params) {
  const Json* token = find(params, "workDoneToken");
  return token != nullptr ? *token : Json(nullptr);
}

Json partial_result_token(const Json& params) {
  const Json* token = find(params, "partialResultToken");
  return token != nullptr ? *token : Json(nullptr);
}

Json workspace_diagnostic_result(std::vector<Json> reports) {
  return {{"items", std::move(reports)}};
}

std::vector<Json> registrations(const InitializeParams& client) {
  std::vector<Json> all;
  if (client.registers_configuration)
    all.push_back(registration("phobos-configuration", "workspace/didChangeConfiguration", {{"section", "phobos"}}));
  if (client.registers_files)
    all.push_back(registration("phobos-files", "workspace/didChangeWatchedFiles", {{"watchers", Json::array({{{"globPattern", "**/*.ph"}}})}}));
  return all;
}

Json configuration_params(const std::vector<std::string>& folders) {
  Json items = Json::array({{{"section", "phobos"}}});
  for (const std::string& folder : folders) items.push_back({{"scopeUri", folder}, {"section", "phobos"}});
  return {{"items", std::move(items)}};
}

Json status_result(std::string_view version, std::size_t documents, std::size_t turns, double longest_turn_ms, std::string_view longest_turn) {
  return {{"version", version}, {"documents", documents}, {"turns", turns}, {"longestTurnMs", longest_turn_ms}, {"longestTurn", longest_turn}};
}

Json progress_params(const Json& token, Json value) { return {{"token", token}, {"value", std::move(value)}}; }

Json progress_begin(std::string_view title) { return {{"kind", "begin"}, {"title", title}, {"cancellable", true}, {"percentage", 0}}; }

Json progress_report(std::int64_t percent) { return {{"kind", "report"}, {"percentage", percent}}; }

Json progress_message(std::string_view message) { return {{"kind", "report"}, {"message", message}}; }

Json progress_end(std::string_view message) { return {{"kind", "end"}, {"message", message}}; }

Json token_params(const Json& token) { return {{"token", token}}; }

std::optional<Json> token_of(const Json& params) {
  const Json* token = find(params, "token");
  if (token == nullptr) return std::nullopt;
  return *token;
}

}  // namespace phobos::server::lsp
