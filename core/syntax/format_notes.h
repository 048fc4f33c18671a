// What the formatter knows of each token once the text has been read, and nothing of columns: whether a space stands before it,
// and where lines may end. format_reader.cpp makes it, format_layout.cpp turns it into white space.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format_tokens.h"

namespace phobos::syntax {

// Whether a line end stands before a token.
enum class Place : std::uint8_t {
  Join,   // none, but for one that a comment forces
  Keep,   // where the author has one
  Start,  // always: a statement, an attribute, a head, a closing brace
};

struct Note {
  std::uint32_t level = 0;           // of a Start: blocks around it
  std::uint32_t block = no_token;    // of a Start in a block that may stay on one line: the block's `{`
  std::uint16_t key = 0;             // where a long line may be broken before this token; the smallest goes first; 0 for not
  Place place = Place::Join;
  bool space = false;                // before it, where it starts no line
  bool verbatim = false;             // its line keeps its bytes
  bool kept = false;                 // of an item whose braces do not pair: line ends and indentation stay
  bool separated = false;            // the `;` before it, if any, ends a statement, and a line end may take its place
  bool bracket = false;              // opens or closes `(…)` or `[…]`
  bool last = false;                 // of an item
};

struct Notes {
  std::vector<Token> tokens;
  std::vector<Note> notes;             // one a token
  std::vector<std::uint32_t> partner;  // of brackets and braces: the other one, else no_token
  std::vector<bool> one_line;          // of `{`: the author wrote the block on one line, and it may stay there
  std::vector<std::uint32_t> chain;    // of `{` of an `if`: the `{` of the branch before, else no_token
};

Notes read_notes(std::string_view text);

}  // namespace phobos::syntax
