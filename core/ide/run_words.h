// The words of the run lines above an item, with their places.
#pragma once

#include <string_view>
#include <vector>

#include <phobos/ide/index.h>
#include <phobos/syntax/ast.h>

namespace phobos::ide {

struct RunWord {
  std::string_view text;
  Span span;  // of the item
};
// Split as the runner splits them: at blanks outside of double quotes, up to a comment. Of the line that `span` of the text is.
std::vector<RunWord> run_words(std::string_view text, Span line);

// What a word of its own meaning says; null for any other.
struct RunLineWord {
  std::string_view name, form, documentation;
};
const RunLineWord* run_line_word(std::string_view name);

std::vector<RunName> run_names(const syntax::Item& item);

}  // namespace phobos::ide
