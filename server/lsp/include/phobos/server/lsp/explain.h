// `phobos/explain`: why a value differs between threads, and why the place is not reached by all of them, as a tree from the effect to its
// sources. A chain of a diagnostic is one path of it, the shortest.
#pragma once

#include <string>

#include <phobos/server/lsp/border.h>
#include <phobos/server/lsp/json.h>
#include <phobos/session/session.h>

namespace phobos::server::lsp {

// At an offset of the item; null where there is no value.
Json explanation(const session::ItemView& item, std::uint32_t offset, const std::string& uri, const Border& border);

}  // namespace phobos::server::lsp
