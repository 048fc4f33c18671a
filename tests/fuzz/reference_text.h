// A text as the protocol means it, kept in the plainest way there is: what the server's text is held against.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <phobos/source/line_map.h>

namespace phobos::fuzz {

// Bytes that are no UTF-8 become question marks: JSON has no others.
std::string as_utf8(std::string_view bytes);

class ReferenceText {
 public:
  ReferenceText(std::string text, Encoding encoding) : text_(std::move(text)), encoding_(encoding) {}

  const std::string& text() const { return text_; }
  // The end for what lies behind it, the line's end for columns past it, the character's start for what is inside of one.
  std::size_t offset_of(Position position) const;
  // Of a byte; one inside of a character, or between CR and LF, has the place before.
  Position position_of(std::size_t offset) const;
  // An end before the start is the start.
  void replace(Position start, Position end, std::string_view by);
  void replace(std::string text) { text_ = std::move(text); }

 private:
  std::uint32_t width(std::size_t at) const;   // of the character there, in the encoding
  std::size_t size_at(std::size_t at) const;   // its bytes
  std::size_t line_end(std::size_t at) const;  // the first byte of the line's end, or the text's end
  std::size_t next_line(std::size_t at) const;  // npos: there is none

  std::string text_;
  Encoding encoding_;
};

}  // namespace phobos::fuzz
