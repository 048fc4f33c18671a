// The one formatting: of a text, of a range, and of what has just been typed. How wide a tab is, is not the client's to say.
#include <phobos/ide/formatting.h>

#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

namespace {

Json edits(const Asked& asked, const syntax::Formatted& formatted) {
  if (formatted.fault) return nullptr;
  return lsp::to_json(formatted.edits, asked.border());
}

}  // namespace

Json formatting(const Asked& asked, const Json&) {
  return edits(asked, syntax::format(asked.snapshot.text()));
}

Json range_formatting(const Asked& asked, const Json& params) {
  return edits(asked, ide::format_range(asked.file(), asked.border().span(lsp::range_params(params))));
}

Json on_type_formatting(const Asked& asked, const Json& params) {
  const std::uint32_t offset = asked.border().offset(lsp::position_params(params).position);
  return edits(asked, ide::format_typed(asked.file(), offset, lsp::typed_character(params)));
}

}  // namespace phobos::server
