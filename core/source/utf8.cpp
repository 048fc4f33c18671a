#include <phobos/source/utf8.h>

namespace phobos {

namespace {

bool continues(std::string_view text, std::size_t offset) {
  return offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xc0u) == 0x80u;
}

}  // namespace

Character decode(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::uint8_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return {};
  char32_t code = first & (0x7fu >> size);
  for (std::uint8_t i = 1; i < size; ++i) {
    if (!continues(text, offset + i)) return {};
    code = (code << 6) | (byte(i) & 0x3fu);
  }
  // Longer than need be, a surrogate, or past the last character.
  const char32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, size, true};
}

std::uint32_t character_start(std::string_view text, std::uint32_t offset) {
  if (offset >= text.size()) return static_cast<std::uint32_t>(text.size());
  for (std::uint32_t back = 1; back <= 3 && back <= offset && continues(text, offset - back + 1); ++back)
    if (decode(text, offset - back).size > back) return offset - back;
  return offset;
}

}  // namespace phobos
