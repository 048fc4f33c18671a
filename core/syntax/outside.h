// What is said of code outside of all items, and what it would declare elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>

namespace phobos::syntax {

// What is to be said of code that stands outside of items and begins like that; empty for nothing in particular.
std::string outside_of_items(std::string_view text);

inline constexpr const char* no_block_comments = "there is no block comment: `//` begins a comment, and the line ends it";
// The block comment from `begin` to `end`, behind its `*/`, as comments of lines; none where something else stands behind it in its line.
std::optional<diag::Fix> as_line_comments(std::string_view text, std::size_t begin, std::size_t end);

// Where what stands outside of items, and begins there, ends: at the end of its line, but for what is open or further in.
std::uint32_t end_of_declaration(std::string_view text, std::size_t begin);

// What is wrong with code before the first item, declaration by declaration. Spans are absolute.
std::vector<diag::Diagnostic> preamble_errors(std::string_view text, Span preamble);

// The names that such code declares: `const int T = 32`, `#define T 32`, `struct P { … }`, `enum E { A, B }`, `autotune(T in [16])`.
std::vector<std::string> names_declared(std::string_view text);

}  // namespace phobos::syntax
