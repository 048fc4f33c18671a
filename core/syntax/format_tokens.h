// The tokens of a text, as the formatter wants them: comments are tokens, and what lies between two tokens is a count of line ends
// and of `;`. Bytes that are no token of the language are a Bad one.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace phobos::syntax {

enum class TokenKind : std::uint8_t { Word, Keyword, Number, Operator, Comment, Bad, End };

struct Token {
  std::uint32_t begin = 0, end = 0;  // a comment without the white space at its end
  std::uint32_t lines = 0;           // line ends between the token before and this one
  std::uint32_t semicolons = 0;      // likewise
  TokenKind kind = TokenKind::Bad;

  std::string_view text(std::string_view whole) const { return whole.substr(begin, end - begin); }
};

// The last one is the End, at the end of the text. A byte-order mark is not part of any.
std::vector<Token> tokenise(std::string_view text);

constexpr std::uint32_t no_token = std::numeric_limits<std::uint32_t>::max();

// Of brackets and braces the token that closes or opens them, else no_token. Brackets do not reach over a brace or an item.
std::vector<std::uint32_t> partners(const std::vector<Token>& tokens, std::string_view whole);

// `kernel` or `fn`.
bool starts_item(const Token& token, std::string_view whole);

// Whether a line end behind this token ends a statement.
bool can_end_statement(const Token& token, std::string_view whole);

// Whether two texts say the same: the same tokens and comments in the same order, statements that end at the same places, and
// comments that stay beside or above what they stood beside or above.
bool same_meaning(std::string_view before, std::string_view after);

}  // namespace phobos::syntax
