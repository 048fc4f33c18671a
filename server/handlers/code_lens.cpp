#include <phobos/ide/lenses.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json code_lens(const Asked& asked, const Json&) {
  return lsp::lenses_result(ide::lenses(asked.file()), asked.document.uri, asked.client, asked.border());
}

}  // namespace phobos::server
