#include <phobos/ide/hierarchy.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json hierarchy(const Asked& asked, const Json& params) {
  const std::uint32_t offset = asked.border().offset(lsp::position_params(params).position);
  const auto found = ide::hierarchy(asked.file(), offset, lsp::hierarchy_request(params));
  return found ? lsp::hierarchy_result(*found, asked.border()) : Json(nullptr);
}

}  // namespace phobos::server
