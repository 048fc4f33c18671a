#include <phobos/ide/symbols.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json document_symbol(const Asked& asked, const Json&) {
  return lsp::outline_result(ide::outline(asked.file()), asked.border());
}

}  // namespace phobos::server
