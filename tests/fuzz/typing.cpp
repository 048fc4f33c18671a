#include "typing.h"

#include <algorithm>
#include <array>

namespace phobos::fuzz {

namespace {

constexpr std::array<std::string_view, 24> words = {
    "",     " ",      "\n",   "{",        "}",    "(",      ")",        "[",  "]",     ":+ 4",    "//",       "\"",
    "fn ",  "kernel ", "let x = ", "if ctx.lane == 0 {\n", "barrier()\n", "+= ", "ctx.thread", "0.5", "f32(", "@launch(64)\n", "\xf0\x9f\x98\x80", "\xff"};

}  // namespace

std::uint32_t Tail::take(int count) {
  std::uint32_t value = 0;
  for (; count > 0 && !bytes_.empty(); --count) {
    value = value << 8 | static_cast<unsigned char>(bytes_.back());
    bytes_.remove_suffix(1);
  }
  return value;
}

Edit next_edit(Tail& tail, const std::string& text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = tail.take(2) % (size + 1);
  const std::uint32_t length = std::min(tail.take(1) % 40, size - begin);
  const std::uint32_t choice = tail.take(1);
  if (choice < words.size() * 6) return {{begin, begin + length}, std::string(words[choice % words.size()])};
  // A piece of the text itself: what is cut out, or said twice.
  const std::uint32_t from = tail.take(2) % (size + 1);
  return {{begin, begin + length}, text.substr(from, tail.take(1))};
}

}  // namespace phobos::fuzz
