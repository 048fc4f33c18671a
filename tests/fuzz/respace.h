// Texts that say the same with other white space, for tests of the formatter. It has a lexer of its own, so that it does not err
// where the formatter does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phobos::fuzz {

struct Piece {
  std::string text;  // a token, or a comment without white space at its end
  std::string gap;   // what stands before it
};
// The last piece has no text: the end.
std::vector<Piece> pieces(std::string_view text);
std::string joined(const std::vector<Piece>& pieces);

// The tokens and comments, one a line, `;` left out: what formatting may not change.
std::string without_space(std::string_view text);

// Of a formatted text without syntax errors: other blanks, tabs, indentation, empty lines where they do not count, and `;` for
// some line ends. Formatting it gives that text back, but for the columns of comments behind code.
std::string respaced(std::string_view text, std::uint32_t seed);

// The same, with lines also broken where the language lets them be.
std::string rebroken(std::string_view text, std::uint32_t seed);

// With statements on one line each, and one way of placing comments: what `rebroken` texts have in common once formatted.
std::string unbroken(std::string_view text);

// `text` with two blanks before each comment behind code.
std::string with_loose_comments(std::string_view text);

}  // namespace phobos::fuzz
