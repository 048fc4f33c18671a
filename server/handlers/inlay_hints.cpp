#include <phobos/ide/inlay_hints.h>

#include <phobos/ide/hover.h>
#include <phobos/server/lsp/answers.h>

#include "features.h"

namespace phobos::server {

namespace {

ide::HintOptions options_of(const lsp::Settings& settings) {
  const ide::HintOptions usual;
  return {settings.flag("inlayHints.kinds", usual.kinds), settings.flag("inlayHints.parameterNames", usual.parameter_names),
          settings.flag("inlayHints.constants", usual.constants), settings.flag("inlayHints.shapes", usual.shapes)};
}

}  // namespace

void inlay_hint(const Asked& asked, const Json& params, std::string& out) {
  const lsp::Border border = asked.border();
  lsp::append_hints(out, ide::inlay_hints(asked.file(), border.span(lsp::range_params(params)), options_of(*asked.settings)), asked.document.uri, border);
}

Json inlay_hint_resolve(const Asked& asked, const Json& hint) {
  const auto about = lsp::hinted_place(hint);
  if (!about) return hint;
  const auto text = hover_text(asked, *about);
  return lsp::explained(hint, text ? text->text : std::string());
}

}  // namespace phobos::server
