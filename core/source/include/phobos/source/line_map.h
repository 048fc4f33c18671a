// Byte offsets to lines and columns and back, in the encodings that editors count in.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <phobos/source/span.h>

namespace phobos {

enum class Encoding { Utf8, Utf16, Utf32 };

// Zero-based; `column` counts code units of the encoding asked for.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend constexpr bool operator==(Position, Position) = default;
};

// The line starts of one text. LF, CRLF and a lone CR end a line.
class LineMap {
 public:
  explicit LineMap(std::string_view text);

  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }
  std::uint32_t line_of(std::uint32_t offset) const;
  // Bytes of a line without its end; lines past the last one are empty at the end of the text.
  Span line_span(std::string_view text, std::uint32_t line) const;

  // Offsets past the end are taken as the end, offsets inside a character as its start.
  Position position(std::string_view text, std::uint32_t offset, Encoding encoding) const;
  // Lines past the end are taken as the end, columns past the line's end as that end, columns inside a character as its start.
  std::uint32_t offset(std::string_view text, Position position, Encoding encoding) const;

  // The map of the text after an edit; costs the lines after the edit a pass, and the inserted text a scan.
  void apply(std::string_view new_text, const Edit& edit);

 private:
  std::vector<std::uint32_t> starts_;
};

}  // namespace phobos
