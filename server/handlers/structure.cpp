// What can be folded, and what lies around a place.
#include <phobos/ide/structure.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

void folding_range(const Asked& asked, const Json&, std::string& out) {
  lsp::append_folding(out, ide::folding_ranges(asked.file()), asked.border());
}

Json selection_range(const Asked& asked, const Json& params) {
  Json result = Json::array();
  for (const Position position : lsp::positions_of(params)) {
    const lsp::Border border = asked.border();
    result.push_back(lsp::selection_result(ide::selection_ranges(asked.file(), border.offset(position)), border));
  }
  return result;
}

}  // namespace phobos::server
