// The text of a program as a tree of lines, from which statements can be taken out.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace phobos::fuzz {

struct Node {
  std::string head;  // `if c {`, or a whole statement
  std::vector<std::unique_ptr<Node>> body;
  std::vector<std::unique_ptr<Node>> otherwise;  // of an `if`
  bool opens = false;                            // a block follows the head
  bool fixed = false;                            // never taken out
  std::uint32_t first = 0, last = 0;             // its lines in the text last printed
};
using Block = std::vector<std::unique_ptr<Node>>;

// The text, four spaces a level; notes of each node which lines it got.
std::string print(Block& file);

// Takes out the innermost statement around each of the lines. Whether anything was.
int take_out(Block& block, const std::set<std::uint32_t>& lines);

}  // namespace phobos::fuzz
