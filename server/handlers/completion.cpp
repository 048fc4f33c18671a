// What may stand at a place, and how the call there is made.
#include <phobos/ide/completion.h>
#include <phobos/ide/signature_help.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json completion(const Asked& asked, const Json& params) {
  const std::uint32_t offset = asked.border().offset(lsp::position_params(params).position);
  return lsp::completions_result(ide::completions(asked.file(), offset), asked.document.uri, asked.client.snippets, asked.border());
}

Json completion_resolve(const Asked& asked, const Json& item) {
  const auto offered = lsp::offered_item(item);
  if (!offered) return item;
  return lsp::documented(item, ide::completion_documentation(asked.file(), offered->at, offered->sort, offered->label));
}

Json signature_help(const Asked& asked, const Json& params) {
  const auto help = ide::signature_help(asked.file(), asked.border().offset(lsp::position_params(params).position));
  return help ? lsp::signature_result(*help) : Json(nullptr);
}

}  // namespace phobos::server
