// Text to items. A file is first split into items by its lexical shape alone: `kernel` and `fn` are keywords that occur nowhere
// else, so each of them starts an item, which runs to the next one. Each item is then parsed on its own. Hence an error in one
// item cannot reach another, an item's tree is a function of its text, and an edit costs what its item costs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/source/span.h>
#include <phobos/syntax/ast.h>

namespace phobos::syntax {

struct ParsedItem {
  Span span;  // absolute; documentation comments and attributes included, white space around it not
  std::shared_ptr<const Item> item;  // the same object as before the edit where the item's text is the same
};

// Absolute spans. `diagnostics` has what belongs to no item: text before the first one.
struct ParsedFile {
  std::vector<ParsedItem> items;
  std::vector<diag::Diagnostic> diagnostics;
  int parsed = 0;  // items whose text had to be parsed this time
};

// What of a text is as in the text parsed before: its first `front` and its last `back` bytes, which do not overlap in either.
struct Unchanged {
  std::size_t front = 0, back = 0;
};

// The items of a text as a change of those of the text before: `removed` of them, from the `first` on, gave way to `items`; those
// behind are the same, `moved` bytes further on. Of the items that were removed, those that are there again are the same objects.
struct ItemsChange {
  std::size_t first = 0, removed = 0;
  std::vector<ParsedItem> items;
  std::int64_t moved = 0;
  std::vector<diag::Diagnostic> diagnostics;  // as in ParsedFile: of the whole text
  std::vector<std::string> declared;  // the names that the text before the first item would declare elsewhere
  int parsed = 0;
};

class Parser {
 public:
  Parser();
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Parses a text; reuses the items of the text parsed before where theirs occur in it again.
  ParsedFile parse(std::string_view text);
  // The same for a text of which it is known what changed: costs what lies between, and a step for each item behind it.
  ItemsChange update(std::string_view text, Unchanged same);
  const std::vector<ParsedItem>& items() const;  // of the text parsed last

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One item's text, afresh. Exposed for tools and tests.
std::shared_ptr<const Item> parse_item(std::string_view text);

// The S-expression of the tree that Tree-sitter makes of a text, empty where it takes too long; for tools and tests.
std::string dump_tree(std::string_view text);

}  // namespace phobos::syntax
