// What each name is, for colours: its sort, and how far its value may differ between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <phobos/ide/file.h>

namespace phobos::ide {

// In the order of the legend that a client is given.
enum class TokenSort : std::uint8_t { Function, Parameter, Variable, Dimension, Property, Attribute, Type, Word, Comment, Number, Operator };
// Bits, in the order of the legend.
inline constexpr std::uint32_t token_declaration = 1u << 0;
inline constexpr std::uint32_t token_readonly = 1u << 1;
inline constexpr std::uint32_t token_static = 1u << 2;  // known when the kernel is compiled
inline constexpr std::uint32_t token_modification = 1u << 3;
inline constexpr std::uint32_t token_default_library = 1u << 4;
inline constexpr std::uint32_t token_uniform = 1u << 5;
inline constexpr std::uint32_t token_warp_uniform = 1u << 6;
inline constexpr std::uint32_t token_varying = 1u << 7;

struct Token {
  Span span;  // of the item
  TokenSort sort = TokenSort::Variable;
  std::uint32_t modifiers = 0;
};
// By place; none reaches over a line's end. `good`: of a broken item, may be null.
std::vector<Token> semantic_tokens(const Analysis& item, const LastGood* good, bool lexical);

// The same as the protocol counts: five numbers a token (lines and columns from the token before, length, sort, modifiers), the first
// token's place from the item's first byte.
struct TokenRun {
  std::vector<std::uint32_t> data;
  Position last;  // where the last token begins, from the item's first byte
};
TokenRun make_token_run(const Analysis& item, const TokenOptions& options, const LastGood* good);

}  // namespace phobos::ide
