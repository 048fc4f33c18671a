// The formatting of a part of a file, which reads the items around that part and not the whole.
#pragma once

#include <cstdint>

#include <phobos/ide/file.h>
#include <phobos/syntax/format.h>

namespace phobos::ide {

// What `syntax::format_range` and `format_typed` give of the file's text, but that a window of a text that mixes line ends has the line ends that are more
// frequent there.
syntax::Formatted format_range(const File& file, Span range);
syntax::Formatted format_typed(const File& file, std::uint32_t offset, char typed);

}  // namespace phobos::ide
