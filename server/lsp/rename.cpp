#include <phobos/server/lsp/answers.h>

namespace phobos::server::lsp {

Json renameable_result(const ide::Renameable& found, const Border& border) {
  return {{"range", to_json(border.range(found.span))}, {"placeholder", found.name}};
}

std::string new_name(const Json& params) {
  return string_at(params, "newName");
}

}  // namespace phobos::server::lsp
