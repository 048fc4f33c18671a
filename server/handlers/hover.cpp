#include <fmt/format.h>

#include <phobos/ide/hover.h>
#include <phobos/server/lsp/uri.h>

#include "features.h"

namespace phobos::server {

std::optional<lsp::Hover> hover_text(const Asked& asked, std::uint32_t offset) {
  const lsp::Border border = asked.border();
  const auto found = ide::hover(asked.file(), offset);
  if (!found) return std::nullopt;
  const bool links = asked.client.markdown_hover && lsp::scheme_of(asked.document.uri) == "file";
  const auto place_of = [&](Location location) {
    const Position at = border.position(found->owner->absolute(location).begin);
    return ide::ReaderPlace{at.line + 1, links ? fmt::format("{}#L{},{}", asked.document.uri, at.line + 1, at.column + 1) : std::string()};
  };
  return lsp::Hover{ide::wording(found->facts, place_of), asked.client.markdown_hover, border.range(found->facts.range)};
}

Json hover(const Asked& asked, const Json& params) {
  const auto text = hover_text(asked, asked.border().offset(lsp::position_params(params).position));
  return text ? lsp::to_json(*text) : Json(nullptr);
}

}  // namespace phobos::server
