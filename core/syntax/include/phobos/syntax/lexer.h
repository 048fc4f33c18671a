// An item's text as tokens. What can only be a slip of the keyboard or another language's spelling of a token (`1.0f`, `≤`, a
// string, `/* … */`) is reported here and read as what was meant, so that the parser behind it need not know.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>

namespace phobos::syntax {

enum class Tok : std::uint8_t {
  End,
  Name, Integer, Float, Text, Unknown,
  Kernel, Fn, Let, Var, If, Else, For, In, While, Break, Continue, Return, True, False, Ctx,
  LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace,
  Comma, Semicolon, Colon, ColonPlus, Dot, At, Arrow, Question,
  Assign, AddAssign, SubAssign, MulAssign, DivAssign, RemAssign, AndAssign, OrAssign, XorAssign, ShlAssign, ShrAssign,
  // From here to `Percent` in the order of BinaryOp.
  OrOr, AndAnd, EqEq, NotEq, Less, LessEq, Greater, GreaterEq, Or, Xor, And, Shl, Shr, Plus, Minus, Star, Slash, Percent,
  Not, Tilde,
};

struct Lexeme {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t indent = 0;  // of the line that it stands on, in bytes
  Tok kind = Tok::End;
  bool newline = false;  // a line ends between the token before and this one
  bool told = false;     // what stands before it was reported: whatever else is wrong there follows from that
  Span span() const { return {begin, end}; }
};

// The last token is an End at the end of the text. At most `most_errors` diagnostics are added to `found`.
std::vector<Lexeme> lex(std::string_view text, std::vector<diag::Diagnostic>& found);

// For each bracket the index of its partner, `no_partner` for one that has none and for all that are no brackets. Parentheses and
// square brackets do not reach over a brace, a `;` or a statement's keyword.
inline constexpr std::uint32_t no_partner = 0xffffffffu;
std::vector<std::uint32_t> pair_brackets(const std::vector<Lexeme>& tokens);

inline constexpr std::size_t most_errors = 1000;  // of one item

constexpr bool begins_statement(Tok kind) { return kind >= Tok::Let && kind <= Tok::Return && kind != Tok::In; }
constexpr bool begins_operand(Tok kind) {
  return (kind >= Tok::Name && kind <= Tok::Text) || (kind >= Tok::True && kind <= Tok::LeftParen) || kind == Tok::Minus ||
         kind == Tok::Not || kind == Tok::Tilde;
}
constexpr bool assigns(Tok kind) { return kind >= Tok::Assign && kind <= Tok::ShrAssign; }
constexpr bool closes(Tok kind) { return kind == Tok::RightParen || kind == Tok::RightBracket || kind == Tok::RightBrace; }

}  // namespace phobos::syntax
