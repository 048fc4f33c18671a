// Offsets of one text to positions, in order.
#pragma once

#include <cstdint>
#include <string_view>

#include <phobos/source/line_map.h>

namespace phobos {

// Positions of one text that are asked for one after the other: of an offset behind the last one, on its line, only what lies between
// the two is counted, so that all tokens of a text cost as much as the text, even in a single line.
class Positions {
 public:
  Positions(std::string_view text, const LineMap& lines, Encoding encoding) : text_(text), lines_(lines), encoding_(encoding) {}
  Position of(std::uint32_t offset);

 private:
  std::string_view text_;
  const LineMap& lines_;
  Encoding encoding_;
  Position last_;          // of the character that begins at `at_`
  std::uint32_t at_ = 0;
};

}  // namespace phobos
