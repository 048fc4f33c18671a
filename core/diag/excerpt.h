// A stretch of source as a terminal can show it: tabs spread, what cannot be printed made visible, wide characters counted as
// the two cells that they take, and long lines cut down to the part that matters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <phobos/source/span.h>

namespace phobos::diag {

// One source line ready to print, and where on it the marked range lies, in cells.
struct ShownLine {
  std::string text;
  std::uint32_t mark_begin = 0;
  std::uint32_t mark_end = 0;  // at least one cell after mark_begin
};

// `line` is one line without its end; `mark` is a range in it, in bytes, which may be empty or reach to the line's end.
ShownLine show_line(std::string_view line, Span mark);

}  // namespace phobos::diag
