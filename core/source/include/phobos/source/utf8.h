// One character of a UTF-8 text at a time. A byte that begins no valid character is a character of its own.
#pragma once

#include <cstdint>
#include <string_view>

namespace phobos {

struct Character {
  char32_t code = 0xfffd;  // U+FFFD for an invalid byte
  std::uint8_t size = 1;   // bytes
  bool valid = false;

  std::uint32_t utf16_units() const { return code >= 0x10000 ? 2 : 1; }
};

// The character that begins at `offset`, which lies in the text.
Character decode(std::string_view text, std::size_t offset);

// The first byte of the character that `offset` lies in; the text's size for offsets past the end.
std::uint32_t character_start(std::string_view text, std::uint32_t offset);

}  // namespace phobos
