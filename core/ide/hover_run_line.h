#pragma once

#include <phobos/ide/hover.h>

namespace phobos::ide {

// What a word of a run line means; `offset` of the item. None where there is no run line.
std::optional<Hovered> hover_run_line(const File& file, const ItemView& item, std::uint32_t offset);

}  // namespace phobos::ide
