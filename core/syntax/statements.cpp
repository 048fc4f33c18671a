// Statements and blocks. Declarations, control and loops have files of their own.
#include <algorithm>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

Block ItemParser::block() {
  Block result;
  const std::size_t opener = pos_;
  if (!enter()) {
    if (closed(opener)) skip_group();
    else pos_ = tokens_.size() - 1;
    error_at_ = pos_;
    return result;
  }
  ++pos_;
  const bool outer = newline_ends_;
  newline_ends_ = true;
  statements(result);
  newline_ends_ = outer;
  if (raw() == Tok::RightBrace && token().begin < token().end) {
    ++pos_;
  } else {
    unclosed_block(opener);
    accept(Tok::RightBrace);
  }
  leave();
  return result;
}

void ItemParser::statements(Block& into) {
  while (raw() != Tok::End && raw() != Tok::RightBrace) {
    const std::size_t from = pos_, errors = errors_;
    if (token().newline || (pos_ > 0 && tokens_[pos_ - 1].kind == Tok::Semicolon)) error_at_ = no_partner;
    leading_minus(into);
    const bool warned = !item_.diagnostics.empty() && item_.diagnostics.back().code == Code::LeadingMinus;
    const std::size_t before = into.size();
    statement(into);
    if (warned && into.size() == before + 1)
      if (auto* value = std::get_if<ExprStmt>(&item_.stmts[into.back()].node)) value->broken = true;
    end_of_statement(into, errors_ != errors);
    if (pos_ == from) skip_group();
  }
}

StmtId ItemParser::add(std::uint32_t begin, decltype(Stmt::node) stmt) {
  return item_.stmts.add({std::move(stmt), {begin, std::max(begin, previous_end())}});
}

void ItemParser::statement(Block& into) {
  statement_at_ = pos_;
  const std::uint32_t begin = token().begin;
  switch (raw()) {
    case Tok::Let:
    case Tok::Var: declaration(into); return;
    case Tok::If: into.push_back(if_statement()); return;
    case Tok::For: for_statement(into); return;
    case Tok::While: while_statement(into); return;
    case Tok::Break: ++pos_; into.push_back(add(begin, BreakStmt{})); return;
    case Tok::Continue: ++pos_; into.push_back(add(begin, ContinueStmt{})); return;
    case Tok::Return: return_statement(into); return;
    case Tok::Kernel:
    case Tok::Fn: nested_definition(); return;
    case Tok::LeftBrace:
      report(Code::SyntaxUnexpected, token().span(), "`{`: a block stands only behind `if`, `else`, `while` or `for`");
      bare_block(into);
      return;
    case Tok::Semicolon:
      mend(report(Code::SyntaxUnexpected, token().span(), "`;`: there is no statement before it"), "Remove `;`", {{token().span(), ""}});
      ++pos_;
      return;
    case Tok::Else: {
      report(Code::SyntaxUnexpected, token().span(), "`else`: there is no `if` before it");
      ++pos_;
      if (raw() == Tok::If) into.push_back(if_statement());
      else if (raw() == Tok::LeftBrace) bare_block(into);
      return;
    }
    case Tok::At:
      if (unroll_above(into)) return;
      report(Code::SyntaxUnexpected, token().span(), "attribute: no kernel or function follows it");
      attribute();
      return;
    default: expression_statement(into); return;
  }
}

// A definition inside of a body. It is not read: where it has to stand it is one of its own.
void ItemParser::nested_definition() {
  const std::size_t first = pos_;
  const bool kernel = raw() == Tok::Kernel;
  const auto found = report(Code::SyntaxUnexpected, token().span(), kernel ? "`kernel`: it stands outside of other bodies" : "`fn`: a function is defined outside of other bodies");
  ++pos_;
  if (raw() == Tok::Name) item_.nested.emplace_back(text(token().span()));
  while (raw() != Tok::End && raw() != Tok::LeftBrace && raw() != Tok::RightBrace && (same_line(0) || raw() == Tok::LeftBrace)) skip_group();
  if (raw() != Tok::LeftBrace || !closed(pos_)) return;
  skip_group();
  const auto uses_what_is_around = [&] {
    std::vector<std::string_view> around;
    for (const Parameter& each : item_.parameters) around.push_back(each.name.text);
    for (std::size_t i = 0; i < first; ++i)
      if (tokens_[i].kind == Tok::Let || tokens_[i].kind == Tok::Var || tokens_[i].kind == Tok::For) around.push_back(text(tokens_[i + 1].span()));
    for (std::size_t i = first; i < pos_; ++i)
      if (tokens_[i].kind == Tok::Ctx || (tokens_[i].kind == Tok::Name && std::find(around.begin(), around.end(), text(tokens_[i].span())) != around.end())) return true;
    return false;
  };
  const std::uint32_t begin = tokens_[first].begin, end = previous_end();
  const std::size_t line = text_.substr(0, begin).rfind('\n'), next = text_.find_first_not_of(" \t", end);
  constexpr std::size_t most_moved = 16;  // since each looks through the item
  if (item_.nested.size() > most_moved || kernel || line == std::string_view::npos || next == std::string_view::npos || text_[next] != '\n' || uses_what_is_around()) return;
  mend(found, "Move it out of the body", {{{0, 0}, std::string(text({begin, end})) + "\n\n"}, {{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(next)}, ""}});
}

void ItemParser::bare_block(Block& into) {
  for (const StmtId each : block()) into.push_back(each);
}

// The statement goes on with something that is no part of it, so its value is not what was meant.
void ItemParser::spoil(const Block& last) {
  if (last.empty()) return;
  const ExprId nothing = error_expression(behind());
  auto& node = item_.stmts[last.back()].node;
  if (auto* let = std::get_if<LetStmt>(&node)) let->init = nothing;
  else if (auto* assign = std::get_if<AssignStmt>(&node)) assign->value = nothing;
  else if (auto* expr = std::get_if<ExprStmt>(&node)) expr->expr = nothing;
  else if (auto* back = std::get_if<ReturnStmt>(&node)) back->value = nothing;
}

void ItemParser::end_of_statement(Block& into, bool had_error) {
  if (had_error && !into.empty())
    if (auto* value = std::get_if<ExprStmt>(&item_.stmts[into.back()].node)) value->broken = true;
  if (accept(Tok::Semicolon)) return;
  if (raw() == Tok::End || raw() == Tok::RightBrace || token().newline) return;
  if (raw() == Tok::If && on_this_line(Tok::Else) && !on_this_line(Tok::LeftBrace)) {  // `a if c else b`
    foreign_junk();
    spoil(into);
    while (!token().newline && raw() != Tok::End && raw() != Tok::RightBrace) ++pos_;
    return;
  }
  if (begins_statement(raw())) {
    if (raw() != Tok::Else && !had_error) insert(report(Code::SyntaxExpected, gap(), "a new line or `;` between two statements"), previous_end(), ";");
    return;
  }
  if (!had_error && raw() == Tok::Comma && (token(1).newline || raw(1) == Tok::RightBrace || raw(1) == Tok::End)) {  // `A[0] = 1.0,`
    mend(report(Code::SyntaxUnexpected, token().span(), "`,`: a statement ends with its line"), "Remove `,`", {{token().span(), ""}});
    ++pos_;
    return;
  }
  const bool explained = !had_error && (text_junk() || foreign_junk());
  if (explained) spoil(into);
  if (!had_error && !explained) {
    if (raw() != Tok::LeftBrace && !(begins_operand(raw()) && line_is_statement(pos_))) spoil(into);
    if (const auto stray = unopened_ahead()) {
      take_unopened(*stray);
      if (raw() == Tok::LeftBrace || token().newline) return;
    } else if (raw() == Tok::LeftBrace) {
      return;  // a block of its own, which the next statement reports
    } else if (begins_operand(raw()) && line_is_statement(pos_)) {
      insert(report(Code::SyntaxExpected, gap(), "a new line or `;` between two statements"), previous_end(), ";");
      return;
    } else if (begins_operand(raw())) {
      report(Code::SyntaxExpected, token().span(), fmt::format("an operator or a new line before {}", described(token())));
    } else {
      report(Code::SyntaxUnexpected, token().span(), described(token()));
    }
  }
  error_at_ = pos_;
  skip_statement();
  if (raw() == Tok::LeftBrace && same_line(0)) {
    error_at_ = pos_;
    bare_block(into);
  }
  if (raw() != Tok::RightBrace) accept(Tok::Semicolon);
}

// --- expressions and assignments -----------------------------------------------------------------------------------------
void ItemParser::expression_statement(Block& into) {
  if (misspelt_statement(into) || foreign_statement(into)) return;
  const std::uint32_t begin = token().begin;
  if (assigns(raw())) {
    report(Code::SyntaxExpected, token().span(), fmt::format("a name or an element of one before {}", described(token())));
    ++pos_;
    value();
    return;
  }
  if (take_unopened()) return;
  const ExprId expr = expression();
  const auto* name = std::get_if<NameExpr>(&item_.exprs[expr].node);
  const Span at = item_.exprs[expr].span;
  join_assignment();
  const auto split = split_assignment(expr);
  if (peek() == Tok::Star && raw(1) == Tok::MulAssign && adjacent(0)) return power_assignment(into, begin, expr);
  if (assigns(peek())) {
    assignment(into, begin, expr, split);
  } else if (name && peek() == Tok::Colon && (raw(1) == Tok::Assign || raw(1) == Tok::Name) && same_line(1)) {
    const bool walrus = raw(1) == Tok::Assign;
    const Span sign{token().begin, token(1).end};
    const auto found = foreign(walrus ? sign : at, "a name is declared with `let` or `var`");
    if (walrus) mend(found, "Write `var`", {{{begin, begin}, "var "}, {sign, "="}});
    else insert(found, begin, "var ");
    if (walrus) ++pos_;
    declared(into, begin, true, {name->name, at, false});
  } else if (name && peek() == Tok::In) {
    insert(foreign(at, "a loop begins with `for`"), begin, "for ");
    const auto head = static_cast<std::uint32_t>(pos_ - 1);
    ForStmt loop;
    loop.variable = {name->name, at, false};
    ++pos_;
    loop_over_range(into, head, std::move(loop));
  } else if (step_follows()) {
    const bool up = raw() == Tok::Plus;
    const Span sign{token().begin, token(1).end};
    const std::string better = up ? " += 1" : " -= 1";
    mend(foreign(sign, fmt::format("there is no `{}`: write `{}`", text(sign), trimmed(better))), fmt::format("Write `{}`", trimmed(better)), {{sign, better}});
    pos_ += 2;
    const ExprId one = add({IntLiteral{1}, sign});
    into.push_back(add(begin, AssignStmt{name ? expr : error_expression(at), up ? BinaryOp::Add : BinaryOp::Sub, name ? one : error_expression(sign)}));
  } else if (!missing_if(into, begin, expr)) {
    into.push_back(add(begin, ExprStmt{expr}));
  }
}

// `n > 3 { … }`. Behind the condition.
bool ItemParser::missing_if(Block& into, std::uint32_t begin, ExprId test) {
  const auto* condition = std::get_if<BinaryExpr>(&item_.exprs[test].node);
  if (!condition || !(is_comparison(condition->op) || is_logical(condition->op)) || raw() != Tok::LeftBrace || !same_line(0) || error_at_ == pos_) return false;
  const auto head = static_cast<std::uint32_t>(statement_at_);
  const std::size_t errors = errors_;
  insert(report(Code::SyntaxExpected, item_.exprs[test].span, "`if` or `while` before the condition"), begin, "if ");
  errors_ = errors;
  error_at_ = no_partner;
  Block then = block();
  Braces braces;
  std::optional<Block> last;
  if (else_if_follows(last, head, braces)) last = Block{if_statement()};
  finish(braces);
  into.push_back(add(begin, IfStmt{test, std::move(then), std::move(last)}));
  return true;
}

// Whether the sign at hand and the next are an assignment's, behind its target: `+ =`, `||=`, `**=`.
bool ItemParser::split_assignment_follows() const {
  const Tok kind = raw();
  if (!newline_ends_ || begins_statement(tokens_[statement_at_].kind) || !same_line(1)) return false;
  if (raw(1) == Tok::MulAssign) return kind == Tok::Star && adjacent(0);
  if (kind == Tok::EqEq) return raw(1) == Tok::Assign && assigns_elsewhere();
  return raw(1) == Tok::Assign && (kind == Tok::OrOr || kind == Tok::AndAnd || (kind >= Tok::Or && kind <= Tok::Percent));
}

// `x + = 1`, `A[0] : = 1`, `flag ||= x`: signs in a row that mean an assignment. Behind the target; the `=` is left, and what it
// does on the way is given back.
std::optional<BinaryOp> ItemParser::split_assignment(ExprId target) {
  const Tok kind = peek();
  if (kind == Tok::End || !same_line(1)) return {};
  const Span all{token().begin, token(1).end};
  if (assigns_elsewhere() && kind == Tok::Assign) {  // `x => 1`
    mend(foreign(all, fmt::format("`{}` is written `=`", text(all))), "Write `=`", {{all, "="}});
    error_at_ = no_partner;
    --errors_;
    return {};
  }
  if (raw(1) != Tok::Assign) return {};
  const std::string word(text(token().span())), to(text(item_.exprs[target].span));
  if (kind == Tok::Colon && !std::holds_alternative<NameExpr>(item_.exprs[target].node)) {
    mend(foreign(all, fmt::format("`{}` is written `=`", text(all))), "Write `=`", {{all, "="}});
  } else if (kind == Tok::OrOr || kind == Tok::AndAnd) {
    const auto found = foreign(all, fmt::format("there is no `{0}=`: write `x = x {0} y`", word));
    if (simple(target)) mend(found, fmt::format("Write `= {} {}`", to, word), {{all, fmt::format("= {} {}", to, word)}});
  } else if (kind >= Tok::Or && kind <= Tok::Percent) {
    mend(foreign(all, fmt::format("`{}` is written `{}=`", text(all), word)), fmt::format("Write `{}=`", word), {{all, word + "="}});
  } else if (kind == Tok::EqEq) {
    mend(foreign(all, fmt::format("`{}` is written `=`", text(all))), "Write `=`", {{all, "="}});
  } else {
    return {};
  }
  ++pos_;
  --errors_;
  error_at_ = no_partner;
  if (kind == Tok::Colon || kind == Tok::EqEq) return {};
  return static_cast<BinaryOp>(static_cast<int>(kind) - static_cast<int>(Tok::OrOr));
}

// `x **= 2`. At the `*`.
void ItemParser::power_assignment(Block& into, std::uint32_t begin, ExprId target) {
  const Span sign{token().begin, token(1).end}, to = item_.exprs[target].span;
  const auto found = foreign(sign, "a power is written `pow(a, b)`");
  pos_ += 2;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const ExprId power = value();
  if (is_square(target, power)) {
    mend(found, fmt::format("Write `*= {}`", text(to)), {{{sign.begin, item_.exprs[power].span.end}, fmt::format("*= {}", text(to))}});
    into.push_back(add(begin, AssignStmt{target, BinaryOp::Mul, target}));
    return;
  }
  const std::uint32_t end = item_.exprs[power].span.end;
  if (errors_ == errors && simple(target)) mend(found, "Write `pow(…)`", {{sign, fmt::format("= pow({},", text(to))}, {{end, end}, ")"}});
  into.push_back(add(begin, AssignStmt{target, {}, called("pow", {target, power}, {to.begin, end})}));
}

void ItemParser::assignment(Block& into, std::uint32_t begin, ExprId target, std::optional<BinaryOp> op) {
  AssignStmt result{target, op, {}};
  const Expr& to = item_.exprs[target];
  const auto* subscripts = std::get_if<SubscriptExpr>(&to.node);
  const bool is_place = std::holds_alternative<NameExpr>(to.node) || std::holds_alternative<ErrorExpr>(to.node) ||
                        std::holds_alternative<CtxExpr>(to.node) ||
                        (subscripts && std::holds_alternative<NameExpr>(item_.exprs[subscripts->object].node));
  if (!is_place) {
    const Span at = to.span;
    const auto* field = std::get_if<FieldExpr>(&to.node);
    const bool of_ctx = text(at).starts_with("ctx.") && field;
    const auto found = report(Code::SyntaxExpected, at, of_ctx ? fmt::format("a name or an element of one to assign to: `{}` is read only", text(at)) : std::string("a name or an element of one to assign to"));
    const auto* outer = std::get_if<SubscriptExpr>(&to.node);
    const auto* inner = outer ? std::get_if<SubscriptExpr>(&item_.exprs[outer->object].node) : nullptr;
    if (inner && std::holds_alternative<NameExpr>(item_.exprs[inner->object].node) && !inner->subscripts.empty()) {  // `B[i][j] = 1`
      const Span between{inner->subscripts.back().span.end, outer->subscripts.front().span.begin};
      if (text(between) == "][") mend(found, "Write them in one pair of brackets", {{between, ", "}});
    }
    const auto* call = std::get_if<CallExpr>(&to.node);
    if (call && !call->fold && !call->arguments.empty() && std::holds_alternative<NameExpr>(item_.exprs[call->callee].node)) {  // `A(i) = 1`
      const std::uint32_t opener = item_.exprs[call->callee].span.end;
      mend(found, "Write `[…]`", {{{opener, opener + 1}, "["}, {{at.end - 1, at.end}, "]"}});
    }
    result.target = error_expression(at);
  }
  std::string_view word = text(token().span());
  word.remove_suffix(1);
  for (int i = 0; !word.empty() && i <= static_cast<int>(BinaryOp::Rem); ++i)
    if (spelling(static_cast<BinaryOp>(i)) == word) result.op = static_cast<BinaryOp>(i);
  pos_ += raw() == Tok::Assign && raw(1) == Tok::Greater && adjacent(0) ? 2 : 1;  // `=>`, which was reported
  result.value = value();
  branch_on_choice(result.value, begin);
  if (op && is_logical(*op)) {  // what its operands are is said once it is written out
    result.op.reset();
    result.value = error_expression(item_.exprs[result.value].span);
  }
  if (peek() == Tok::Assign) foreign(token().span(), "an assignment is a statement and gives no value");
  into.push_back(add(begin, std::move(result)));
}

void ItemParser::return_statement(Block& into) {
  const std::uint32_t begin = token().begin;
  ++pos_;
  ExprId result;
  if (peek() != Tok::End && raw() != Tok::Semicolon && raw() != Tok::RightBrace && !begins_statement(raw())) {
    result = expression();
    branch_on_choice(result, begin);
  }
  if (peek() == Tok::Comma) report(Code::SyntaxUnexpected, token().span(), "`,`: a function returns one value");
  into.push_back(add(begin, ReturnStmt{result}));
}

}  // namespace phobos::syntax
