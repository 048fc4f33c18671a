// The one formatting of a text. It works on tokens, so that it can format what is right around what is wrong: a statement with a
// syntax error keeps its bytes, and so does the line structure of an item whose braces do not pair.
//
// Only white space changes, and `;` between statements, which becomes a line end. That is not taken on trust: the text that comes
// out is read again, and if its tokens, its comments or the ends of its statements are not those of the text that went in, there
// are no edits and `fault` is set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/source/span.h>

namespace phobos::syntax {

// Columns that a line of code may take before it is broken behind a comma or an operator; comments behind it are not counted.
constexpr std::uint32_t format_columns = 120;

struct Formatted {
  std::vector<Edit> edits;  // in order, none overlapping, spans of the text that was given; each changes white space alone
  bool fault = false;       // a mistake of the formatter, which therefore changes nothing
};

Formatted format(std::string_view text);

// The edits in the statements, attributes and heads that `range` touches.
Formatted format_range(std::string_view text, Span range);

// What changes when `typed` has just been typed and the cursor stands at `offset`, behind it. `}`: the statement that it closes.
// A newline: the line that it ended, and the indentation of the new one. Anything else: nothing.
Formatted format_typed(std::string_view text, std::uint32_t offset, char typed);

// The text after edits that are in order.
std::string apply(std::string_view text, const std::vector<Edit>& edits);

}  // namespace phobos::syntax
