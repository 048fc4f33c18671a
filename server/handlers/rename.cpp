#include <phobos/ide/rename.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json prepare_rename(const Asked& asked, const Json& params) {
  const auto found = ide::prepare_rename(asked.file(), asked.border().offset(lsp::position_params(params).position));
  if (!found) throw lsp::RequestFailed(found.message());
  return lsp::renameable_result(*found, asked.border());
}

Json rename(const Asked& asked, const Json& params) {
  const auto edits = ide::rename(asked.file(), asked.border().offset(lsp::position_params(params).position), lsp::new_name(params));
  if (!edits) throw lsp::RequestFailed(edits.message());
  return lsp::workspace_edit(*edits, asked.document, asked.client.versioned_edits, asked.border());
}

}  // namespace phobos::server
