// Makes an item's AST from Tree-sitter's tree of its text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <phobos/syntax/ast.h>

#include "nodes.h"

namespace phobos::syntax {

// Deeper nesting than this is reported and cut off, so that no later stage, all of which recurse, can run out of stack.
constexpr int nesting_limit = 256;

class Builder {
 public:
  // `text` is the item's own text, `root` the tree of it (or of a copy with blanked-out bytes: same length).
  Builder(std::string_view text, Item& item) : text_(text), item_(item) {}
  void build(TSNode root);

 private:
  // items.cpp
  void definition(TSNode node);
  void loose_nodes(TSNode root, TSNode definition);
  Attribute attribute(TSNode node);
  AttributeArgument attribute_argument(TSNode node);
  AttributeArgument::Value attribute_value(TSNode node);
  void parameters(TSNode node);
  TypeSyntax type(TSNode node);
  Name name(TSNode parent, TSNode node, std::string_view what);

  // statements.cpp
  Block block(TSNode node);
  void statements(TSNode parent, Block& into, bool check_separators);
  void statement(TSNode node, Block& into);
  void declaration(TSNode node, bool is_var, Block& into);
  void assignment(TSNode node, Block& into);
  void for_statement(TSNode node, Block& into);
  Block body(TSNode node, std::string_view what);
  StmtId if_statement(TSNode node);
  Block alternative(TSNode node);
  StmtId add(TSNode node, decltype(Stmt::node) stmt) { return item_.stmts.add({std::move(stmt), span(node)}); }

  // expressions.cpp
  ExprId expression(TSNode node);  // a null node, an error or a missing one gives an ErrorExpr
  ExprId required(TSNode parent, Field field, std::string_view what);
  ExprId error_expression(Span at) { return item_.exprs.add({ErrorExpr{}, at}); }
  ExprId integer(TSNode node);
  ExprId binary(TSNode node);
  ExprId subscript(TSNode node);
  ExprId call(TSNode node);
  std::optional<Fold> fold(TSNode node);
  std::optional<std::uint64_t> integer_value(TSNode node);

  // errors.cpp
  void errors_in(TSNode node);  // reports each ERROR and MISSING node below (and at) a node once
  void unexpected(TSNode error);
  void missing(TSNode node);
  void report(diag::Code code, Span at, auto&&... args) {
    item_.diagnostics.push_back(diag::make(code, Location{at, 0}, args...));
  }
  void expected(std::uint32_t at, std::string_view what);
  std::uint32_t previous_token_end(std::uint32_t at) const;
  std::string token_at(std::uint32_t at, std::uint32_t& end) const;

  Span span(TSNode node) const { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }
  std::string_view text(TSNode node) const { return text_.substr(ts_node_start_byte(node), ts_node_end_byte(node) - ts_node_start_byte(node)); }
  NodeKind kind(TSNode node) const { return ts_node_is_null(node) ? NodeKind::Other : nodes().kind(node); }
  TSNode child(TSNode node, Field field) const { return nodes().child(node, field); }
  std::string documentation_above(std::uint32_t at) const;
  bool enter(TSNode node);  // one level deeper; false past the limit, reported once
  void leave() { --depth_; }

  std::string_view text_;
  Item& item_;
  int depth_ = 0;
  bool too_deep_ = false;
  std::vector<TSNode> swallowed_;  // misplaced_statement nodes met in the statement at hand
};

// Steps through a node's children with their fields.
template <class F>
void each_child(TSNode node, F&& visit) {
  if (ts_node_is_null(node)) return;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do visit(ts_tree_cursor_current_node(&cursor), ts_tree_cursor_current_field_id(&cursor));
    while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace phobos::syntax
