// Why a value is not the same in all threads, whole: from it, step by step, to what differs at its source.
#include <phobos/server/lsp/explain.h>

#include "handlers.h"

namespace phobos::server {

lsp::Json explain(Server& server, const lsp::Json& params, std::stop_token stop) {
  const lsp::PositionParams asked = lsp::position_params(params);
  const Server::View view = server.view(asked.uri, stop);
  if (!view) return nullptr;
  const lsp::Border border = view.border();
  const std::uint32_t offset = border.offset(asked.position);
  const session::ItemView* item = view.snapshot->item_at(offset);
  if (item == nullptr) return nullptr;
  return lsp::explanation(*item, offset - item->offset, view.document->uri, border);
}

}  // namespace phobos::server
