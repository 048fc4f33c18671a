// Text to items. A file is first split into items by its lexical shape alone: `kernel` and `fn` are keywords that occur nowhere
// else, so each of them starts an item, which runs to the next one. Each item is then parsed on its own by Tree-sitter. Hence
// an error in one item cannot reach another, an item's tree is a function of its text, and an edit costs what its item costs.
//
// After an edit the old tree of the edited item is reused (Tree-sitter's incremental parse) as long as the item has no syntax
// error; with one it is parsed afresh, since recovery is allowed to depend on history, and our results are not.
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

class Parser {
 public:
  Parser();
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Parses a text; reuses the items of the text parsed before where theirs occur in it again.
  ParsedFile parse(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One item's text, afresh. Exposed for tools and tests.
std::shared_ptr<const Item> parse_item(std::string_view text);

// The S-expression of one item's syntax tree, for `--emit ast`.
std::string dump_tree(std::string_view text);

}  // namespace phobos::syntax
