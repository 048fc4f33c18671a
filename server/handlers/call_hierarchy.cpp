#include <phobos/ide/call_hierarchy.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

Json prepare_call_hierarchy(const Asked& asked, const Json& params) {
  const auto item = ide::call_item(asked.file(), asked.border().offset(lsp::position_params(params).position));
  if (!item) return nullptr;
  return Json::array({lsp::call_item_result(*item, asked.document.uri, asked.border())});
}

Json incoming_calls(const Asked& asked, const Json& params) {
  return lsp::calls_result(ide::incoming_calls(asked.file(), lsp::name_of_call_item(params)), "from", asked.document.uri, asked.border());
}

Json outgoing_calls(const Asked& asked, const Json& params) {
  return lsp::calls_result(ide::outgoing_calls(asked.file(), lsp::name_of_call_item(params)), "to", asked.document.uri, asked.border());
}

}  // namespace phobos::server
