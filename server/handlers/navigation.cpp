// From a name to its declaration, and to all other places that name the same.
#include <phobos/ide/navigation.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

namespace {

std::uint32_t offset_of(const Asked& asked, const Json& params) {
  return asked.border().offset(lsp::position_params(params).position);
}

Json to_target(const Asked& asked, const std::optional<ide::Target>& target) {
  if (!target) return nullptr;
  return lsp::target_result(*target, asked.document.uri, asked.client.links, asked.border());
}

}  // namespace

Json definition(const Asked& asked, const Json& params) {
  return to_target(asked, ide::definition(asked.file(), offset_of(asked, params)));
}

Json type_definition(const Asked& asked, const Json& params) {
  return to_target(asked, ide::type_definition(asked.file(), offset_of(asked, params)));
}

Json references(const Asked& asked, const Json& params) {
  std::vector<ide::Reference> found = ide::references(asked.file(), offset_of(asked, params));
  if (!lsp::wants_declaration(params)) std::erase_if(found, [](const ide::Reference& each) { return each.role == ide::Role::Declaration; });
  return lsp::references_result(found, asked.document.uri, asked.border());
}

Json document_highlight(const Asked& asked, const Json& params) {
  return lsp::highlights_result(ide::references(asked.file(), offset_of(asked, params)), asked.border());
}

}  // namespace phobos::server
