#include <phobos/ide/hover.h>

#include "handlers.h"

namespace phobos::server {

lsp::Json hover(Server& server, const lsp::Json& params, std::stop_token stop) {
  const lsp::PositionParams asked = lsp::position_params(params);
  const Server::View view = server.view(asked.uri, stop);
  if (!view) return nullptr;
  const lsp::Border border = view.border();
  const std::uint32_t offset = border.offset(asked.position);
  const session::ItemView* item = view.snapshot->item_at(offset);
  if (item == nullptr) return nullptr;
  const auto facts = ide::hover(item->analysis->checked, item->analysis->kinds, offset - item->offset);
  if (!facts) return nullptr;
  const auto line_of = [&](Location location) { return border.position(item->absolute(location).begin).line + 1; };
  return lsp::to_json({ide::wording(*facts, line_of), server.client.markdown_hover, border.range(item->absolute({facts->range, 0}))});
}

}  // namespace phobos::server
