#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

Json tokens_result(std::vector<std::uint32_t> data, const std::string& name) {
  Json result = {{"data", std::move(data)}};
  if (!name.empty()) result["resultId"] = name;
  return result;
}

Json token_edit_result(std::size_t begin, std::size_t removed, const std::vector<std::uint32_t>& data, const std::string& name) {
  Json edits = Json::array();
  if (removed != 0 || !data.empty()) edits.push_back({{"start", begin}, {"deleteCount", removed}, {"data", data}});
  return {{"edits", std::move(edits)}, {"resultId", name}};
}

}  // namespace phobos::server::lsp
