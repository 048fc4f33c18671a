// JSON as text, without a tree of values in between: for answers that grow with the file, and those that are asked at each key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/server/lsp/border.h>

namespace phobos::server::lsp {

void append_number(std::string& out, std::uint64_t number);
// In quotes; bytes that are no UTF-8 become U+FFFD, since a message may not have them.
void append_string(std::string& out, std::string_view text);
void append_position(std::string& out, Position position);
void append_range(std::string& out, const Range& range);
// A comma, but for the first of an array that began at `begin`.
inline void append_comma(std::string& out, std::size_t begin) {
  if (out.size() > begin) out += ',';
}

// Text about one item of a file, kept for as long as the item is the same, wherever it moves to: places in it are relative to the item's
// first byte, and are left out of the text until it is used.
class ItemText {
 public:
  std::string text;

  // `start`: of the item, as its range was found.
  void append_range(const Range& range, Position start);
  // With the item beginning at `start`.
  void append_to(std::string& out, Position start) const;

 private:
  struct Hole {
    std::uint32_t at;     // of the text
    std::uint32_t value;  // from the item's first byte
    bool is_line;         // else a column of the item's first line
  };
  void append_position(Position position, Position start);

  std::vector<Hole> holes_;
};

}  // namespace phobos::server::lsp
