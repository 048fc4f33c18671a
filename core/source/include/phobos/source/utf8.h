// One character of a UTF-8 text at a time. A byte that begins no valid character is a character of its own.
#pragma once

#include <cstdint>
#include <cstring>
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

// Whether the eight bytes from `at` are there and all of them ASCII: a text is mostly that, and can be passed in such steps.
inline bool ascii_block(std::string_view text, std::size_t at) {
  if (at + 8 > text.size()) return false;
  std::uint64_t word;
  std::memcpy(&word, text.data() + at, sizeof word);
  return (word & 0x8080808080808080u) == 0;
}

}  // namespace phobos
