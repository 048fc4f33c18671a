// Where the items of a file are, by its lexical shape alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>

namespace phobos::syntax {

struct FileShape {
  std::vector<Span> items;  // documentation and attributes included
  Span preamble;  // code before the first item; empty for none
};
FileShape split(std::string_view text);

// The items from the one that starts at `from` on, up to the first whose start `known` recognises (not included). What follows
// such a start depends on nothing before it, so that a caller who knows the rest need not read it again. With `from` 0 the
// preamble is found too; elsewhere it is empty.
FileShape split(std::string_view text, std::size_t from, const std::function<bool(std::size_t start)>& known);

bool is_word_start(char c);
bool is_word_part(char c);

// Behind what closes a bracket, over the brackets and texts in it; 0 where nothing does, or not soon.
std::size_t end_of_group(std::string_view text, std::size_t opener);

// The length of the UTF-8 sequence at `at`, 0 when it is not valid.
std::size_t utf8_length(std::string_view text, std::size_t at);

// Whether that word, misspelt or in other letters, means `kernel`; whether a definition of another language begins with it.
bool resembles_kernel(std::string_view word);
bool begins_foreign_head(std::string_view word);

}  // namespace phobos::syntax
