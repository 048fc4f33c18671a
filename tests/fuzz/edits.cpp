// A text and edits to it, the edits read from the end of the input, so that a `.ph` file is an input with a few odd edits. After
// each edit the session knows what a new one would know of the same text.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "invariants.h"

namespace {

// What people type, and what makes an item out of two.
constexpr std::array<std::string_view, 24> words = {
    "",     " ",      "\n",   "{",        "}",    "(",      ")",        "[",  "]",     ":+ 4",    "//",       "\"",
    "fn ",  "kernel ", "let x = ", "if ctx.lane == 0 {\n", "barrier()\n", "+= ", "ctx.thread", "0.5", "f32(", "@launch(64)\n", "\xf0\x9f\x98\x80", "\xff"};

// Takes bytes off the end of the input.
class Tail {
 public:
  explicit Tail(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t take(int count) {
    std::uint32_t value = 0;
    for (; count > 0 && !bytes_.empty(); --count) {
      value = value << 8 | static_cast<unsigned char>(bytes_.back());
      bytes_.remove_suffix(1);
    }
    return value;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

phobos::Edit next_edit(Tail& tail, const std::string& text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = tail.take(2) % (size + 1);
  const std::uint32_t length = std::min(tail.take(1) % 40, size - begin);
  const std::uint32_t choice = tail.take(1);
  if (choice < words.size() * 6) return {{begin, begin + length}, std::string(words[choice % words.size()])};
  // A piece of the text itself: what is cut out, or said twice.
  const std::uint32_t from = tail.take(2) % (size + 1);
  return {{begin, begin + length}, text.substr(from, tail.take(1))};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phobos;
  if (size > 6000) return 0;
  Tail tail(std::string_view(reinterpret_cast<const char*>(data), size));
  const std::uint32_t edits = 1 + tail.take(1) % 6;
  std::string head(tail.rest());
  session::Session session(std::move(head));
  session.snapshot();
  for (std::uint32_t i = 0; i < edits; ++i) {
    session.apply(next_edit(tail, session.text()));
    const auto incremental = session.snapshot();
    fuzz::expect_well_formed(*incremental);
    session::Session again(session.text());
    fuzz::expect_same(*incremental, *again.snapshot());
  }
  return 0;
}
