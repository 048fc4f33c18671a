#include "builder.h"

namespace phobos::syntax {

namespace {

bool is_statement(NodeKind kind) {
  switch (kind) {
    case NodeKind::LetStatement:
    case NodeKind::VarStatement:
    case NodeKind::AssignmentStatement:
    case NodeKind::ForStatement:
    case NodeKind::WhileStatement:
    case NodeKind::IfStatement:
    case NodeKind::MisplacedElse:
    case NodeKind::BreakStatement:
    case NodeKind::ContinueStatement:
    case NodeKind::ReturnStatement:
    case NodeKind::ExpressionStatement: return true;
    default: return false;
  }
}

}  // namespace

Block Builder::block(TSNode node) {
  Block result;
  if (ts_node_is_null(node) || !enter(node)) return result;
  statements(node, result, true);
  const std::uint32_t count = ts_node_child_count(node);
  const bool closed = count > 1 && text(ts_node_child(node, count - 1)) == "}" && !ts_node_is_missing(ts_node_child(node, count - 1));
  if (!closed && count > 0 && !ts_node_has_error(node)) {
    const std::uint32_t end = previous_token_end(ts_node_end_byte(node));
    report(diag::Code::SyntaxUnclosed, Span{end > 0 ? end - 1 : 0, end}, "}", "block");
    item_.diagnostics.back().related.push_back({{{ts_node_start_byte(node), ts_node_start_byte(node) + 1}, 0}, "the block is opened here"});
  }
  leave();
  return result;
}

// The statements below a block, in order, those inside of ERROR nodes too. A statement that follows another on its line
// without a separator is reported.
void Builder::statements(TSNode parent, Block& into, bool check_separators) {
  bool separated = true;
  each_child(parent, [&](TSNode part, TSFieldId) {
    const NodeKind what = kind(part);
    if (what == NodeKind::Comment) return;
    if (what == NodeKind::Error) {
      statements(part, into, false);
      separated = true;
    } else if (what == NodeKind::MisplacedAttribute) {
      report(diag::Code::SyntaxUnexpected, Span{ts_node_start_byte(part), ts_node_start_byte(part) + 1}, "attribute: no kernel or function follows it");
    } else if (is_statement(what)) {
      if (!separated && check_separators && !ts_node_has_error(part) && what != NodeKind::MisplacedElse) {
        const std::uint32_t end = previous_token_end(ts_node_start_byte(part));
        const bool bracket_was_open = text_.substr(end, ts_node_start_byte(part) - end).find('\n') != std::string_view::npos;
        if (!bracket_was_open) expected(end, "a new line or `;` between two statements");
      }
      statement(part, into);
      separated = false;
    } else {
      separated = true;
    }
  });
}

void Builder::statement(TSNode node, Block& into) {
  struct Trailing {  // what a missing value has swallowed comes after the statement itself
    Builder& builder;
    Block& into;
    std::size_t from;
    ~Trailing() {
      std::vector<TSNode> nodes(builder.swallowed_.begin() + static_cast<std::ptrdiff_t>(from), builder.swallowed_.end());
      builder.swallowed_.resize(from);
      for (const TSNode each : nodes) builder.statements(each, into, false);
    }
  } trailing{*this, into, swallowed_.size()};
  switch (kind(node)) {
    case NodeKind::LetStatement: declaration(node, false, into); return;
    case NodeKind::VarStatement: declaration(node, true, into); return;
    case NodeKind::AssignmentStatement: assignment(node, into); return;
    case NodeKind::ForStatement: for_statement(node, into); return;
    case NodeKind::WhileStatement: {
      const ExprId condition = required(node, Field::Condition, "a condition");
      Block inner = body(node, "`{` to begin the loop's body");
      into.push_back(add(node, WhileStmt{condition, std::move(inner)}));
      return;
    }
    case NodeKind::IfStatement: into.push_back(if_statement(node)); return;
    case NodeKind::MisplacedElse: {
      const TSNode word = ts_node_child(node, 0);
      report(diag::Code::ElseOnItsOwnLine, span(word));
      for (StmtId each : alternative(child(node, Field::Alternative))) into.push_back(each);
      return;
    }
    case NodeKind::BreakStatement: into.push_back(add(node, BreakStmt{})); return;
    case NodeKind::ContinueStatement: into.push_back(add(node, ContinueStmt{})); return;
    case NodeKind::ReturnStatement: {
      const TSNode value = child(node, Field::Value);
      const ExprId result = ts_node_is_null(value) ? ExprId() : expression(value);
      into.push_back(add(node, ReturnStmt{result}));
      return;
    }
    case NodeKind::ExpressionStatement: {
      const ExprId expr = required(node, Field::Expression, "an expression");
      into.push_back(add(node, ExprStmt{expr}));
      return;
    }
    default: into.push_back(add(node, ErrorStmt{})); return;
  }
}

void Builder::declaration(TSNode node, bool is_var, Block& into) {
  LetStmt result;
  result.is_var = is_var;
  result.name = name(node, child(node, Field::Name), "a name");
  if (const TSNode t = child(node, Field::Type); !ts_node_is_null(t)) result.type = type(t);
  if (const TSNode value = child(node, Field::Value); !ts_node_is_null(value)) {
    result.init = expression(value);
  } else if (!is_var || !result.type) {
    const std::uint32_t end = previous_token_end(ts_node_end_byte(node));
    if (!ts_node_has_error(node)) expected(end, is_var ? "a type or `=` and a value" : "`=` and a value");
    result.init = error_expression({end, end});
  }
  into.push_back(add(node, std::move(result)));
}

void Builder::assignment(TSNode node, Block& into) {
  AssignStmt result;
  result.target = required(node, Field::Left, "what to assign");
  const Expr& target = item_.exprs[result.target];
  const auto* subscripts = std::get_if<SubscriptExpr>(&target.node);
  const bool is_place = std::holds_alternative<NameExpr>(target.node) || std::holds_alternative<ErrorExpr>(target.node) ||
                        std::holds_alternative<CtxExpr>(target.node) ||
                        (subscripts && std::holds_alternative<NameExpr>(item_.exprs[subscripts->object].node));
  if (!is_place) {
    report(diag::Code::SyntaxExpected, target.span, "a name or an element of one to assign to");
    result.target = error_expression(target.span);
  }
  const TSNode op = child(node, Field::Operator);
  const std::string_view word = ts_node_is_null(op) ? "=" : text(op);
  if (word.size() > 1) {
    const std::string_view without = word.substr(0, word.size() - 1);
    for (int i = 0; i <= static_cast<int>(BinaryOp::Rem); ++i)
      if (spelling(static_cast<BinaryOp>(i)) == without) result.op = static_cast<BinaryOp>(i);
  }
  result.value = required(node, Field::Right, "a value");
  into.push_back(add(node, std::move(result)));
}

void Builder::for_statement(TSNode node, Block& into) {
  ForStmt result;
  result.variable = name(node, child(node, Field::Variable), "the loop's variable");
  const TSNode start = child(node, Field::Start);
  if (ts_node_is_null(start)) {
    const TSNode stop = child(node, Field::Stop);
    if (!ts_node_has_error(node)) expected(ts_node_is_null(stop) ? ts_node_end_byte(node) : ts_node_end_byte(stop), "`,` and the end of the range");
    result.begin = ts_node_is_null(stop) ? error_expression(span(node)) : expression(stop);
    result.end = error_expression(span(node));
  } else {
    result.begin = expression(start);
    result.end = required(node, Field::Stop, "the end of the range");
  }
  if (const TSNode step = child(node, Field::Step); !ts_node_is_null(step)) result.step = expression(step);
  if (const TSNode clause = child(node, Field::Unroll); !ts_node_is_null(clause)) {
    const TSNode factor = child(clause, Field::Factor);
    const auto count = ts_node_is_null(factor) ? std::optional<std::uint64_t>(0) : integer_value(factor);
    if (count && *count > 1024) report(diag::Code::SyntaxExpected, span(factor), "an unroll factor of at most 1024");
    else if (count) result.unroll = static_cast<std::int64_t>(*count);
  }
  result.body = body(node, "`{` to begin the loop's body");
  into.push_back(add(node, std::move(result)));
}

Block Builder::body(TSNode node, std::string_view what) {
  const TSNode inner = child(node, Field::Body);
  if (!ts_node_is_null(inner)) {
    if (const TSNode before = ts_node_prev_sibling(inner); kind(before) == NodeKind::MisplacedNewline)
      report(diag::Code::SyntaxExpected, Span{ts_node_start_byte(inner), ts_node_start_byte(inner) + 1}, "the `{` on the line before");
    return block(inner);
  }
  if (!ts_node_has_error(node)) expected(previous_token_end(ts_node_end_byte(node)), what);
  return {};
}

StmtId Builder::if_statement(TSNode node) {
  IfStmt result;
  result.condition = required(node, Field::Condition, "a condition");
  const TSNode consequence = child(node, Field::Consequence);
  if (ts_node_is_null(consequence)) {
    if (!ts_node_has_error(node)) expected(previous_token_end(ts_node_end_byte(node)), "`{` to begin the branch");
  } else {
    if (kind(ts_node_prev_sibling(consequence)) == NodeKind::MisplacedNewline)
      report(diag::Code::SyntaxExpected, Span{ts_node_start_byte(consequence), ts_node_start_byte(consequence) + 1}, "the `{` on the line before");
    result.then_block = block(consequence);
  }
  if (const TSNode other = child(node, Field::Alternative); !ts_node_is_null(other)) result.else_block = alternative(other);
  return add(node, std::move(result));
}

Block Builder::alternative(TSNode node) {
  if (ts_node_is_null(node)) return {};
  if (kind(node) == NodeKind::Block) return block(node);
  if (!enter(node)) return {};
  Block result{if_statement(node)};
  leave();
  return result;
}

}  // namespace phobos::syntax
