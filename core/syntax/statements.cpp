// Statements and blocks. Loops over a range are in loops.cpp.
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
    if (raw() != Tok::Else && !had_error) insert(report(Code::SyntaxExpected, behind(), "a new line or `;` between two statements"), previous_end(), ";");
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
      insert(report(Code::SyntaxExpected, behind(), "a new line or `;` between two statements"), previous_end(), ";");
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

// --- declarations --------------------------------------------------------------------------------------------------------

void ItemParser::declaration(Block& into) {
  const std::size_t keyword = pos_;
  const std::uint32_t begin = token().begin;
  bool is_var = raw() == Tok::Var;
  ++pos_;
  if ((raw() == Tok::Let || raw() == Tok::Var) && same_line(0)) {  // `let var x`
    is_var = is_var || raw() == Tok::Var;
    const std::string_view word = is_var ? "var" : "let";
    mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: a name is declared with one keyword", described(token()))), fmt::format("Write `{}`", word), {{{begin, token().end}, std::string(word)}});
    ++pos_;
    error_at_ = no_partner;
    --errors_;
  }
  if ((word_is("mut") || word_is("const")) && raw(1) == Tok::Name && !token(1).newline) {
    const bool mutates = word_is("mut") || is_var;
    const Span both{begin, token().end};
    mend(foreign(both, mutates ? "what can be assigned is declared with `var`" : "what is not assigned is declared with `let`"),
         mutates ? "Write `var`" : "Write `let`", {{both, mutates ? "var" : "let"}});
    is_var = mutates;
    ++pos_;
  }
  if (raw() == Tok::LeftParen && closed(pos_)) {
    foreign(token().span(), "one declaration names one value");
    skip_group();
    error_at_ = pos_;
    declared(into, begin, is_var, {"", behind(), true});
    return;
  }
  Name name = declared_name("a name");
  (void)keyword;
  declared(into, begin, is_var, std::move(name));
}

// `let y f32 = 3.0`, `var u[32]: f32`. Behind the name.
void ItemParser::declared_type(LetStmt& into, std::uint32_t begin, std::uint32_t name_end) {
  const bool type_follows = peek() == Tok::Name && ((raw(1) == Tok::Assign && same_line(1)) || ((word_is("tile") || word_is("tensor")) && raw(1) == Tok::Less));
  if (type_follows) {
    insert(report(Code::SyntaxExpected, behind(), "`:` before the type"), previous_end(), ":");
    error_at_ = no_partner;
    --errors_;
    into.type = type();
    return;
  }
  if (peek() != Tok::LeftBracket || !closed(pos_) || into.name.missing) return;
  const std::size_t opener = pos_, closer = partner_[pos_];
  const auto found = report(Code::SyntaxUnexpected, token().span(), "`[`: the extents stand in the type, as in `var t: tile<f32>[32]`");
  error_at_ = no_partner;
  const bool typed = tokens_[closer + 1].kind == Tok::Colon && tokens_[closer + 2].kind == Tok::Name;
  const std::string scalar(typed ? scalar_meant(text(tokens_[closer + 2].span())) : "f32");
  TypeSyntax shape{TypeSyntax::Form::Tile, {scalar, into.name.span, false}, {}, into.name.span};
  const std::size_t errors = errors_;
  dimensions(shape);
  const bool ends = typed ? tokens_[closer + 3].newline || tokens_[closer + 3].kind == Tok::Semicolon : peek() == Tok::End || raw() == Tok::Semicolon;
  if (errors_ == errors && !scalar.empty() && ends && shape.form == TypeSyntax::Form::Tile) {
    const std::string dims(text({tokens_[opener].begin, tokens_[closer].end}));
    mend(found, fmt::format("Write `{}: tile<{}>{}`", into.name.text, scalar, dims), {{{begin, begin + 3}, "var"}, {{name_end, typed ? tokens_[closer + 2].end : tokens_[closer].end}, fmt::format(": tile<{}>{}", scalar, dims)}});
    into.is_var = true;
    --errors_;
    error_at_ = no_partner;
  }
  if (typed) skip_to(closer + 3);
  into.type = std::move(shape);
}

// `var u = tile<f32>[32]`, `var u = f32[32]`. Behind the `=`; false where it is no type.
bool ItemParser::type_as_value(LetStmt& into, std::uint32_t begin, Span sign) {
  const bool shaped = (word_is("tile") || word_is("tensor")) && raw(1) == Tok::Less;
  const bool array = raw() == Tok::Name && raw(1) == Tok::LeftBracket && closed(pos_ + 1) && !scalar_meant(text(token().span())).empty() && tokens_[partner_[pos_ + 1] + 1].newline;
  if (into.type || !same_line(0) || (!shaped && !array)) return false;
  const std::uint32_t from = token().begin;
  const std::string_view first = text(token().span());
  const auto found = report(Code::SyntaxUnexpected, sign, "`=`: a tile's type stands behind `:`");
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const std::string scalar(scalar_meant(first));
  if (array) {
    TypeSyntax shape{TypeSyntax::Form::Tile, {scalar, token().span(), false}, {}, token().span()};
    ++pos_;
    dimensions(shape);
    into.type = std::move(shape);
  } else {
    into.type = type();
  }
  const bool keyword = text({begin, begin + 3}) == "let" || text({begin, begin + 3}) == "var";
  if (errors_ == errors && keyword && first != "tensor" && (peek() == Tok::End || raw() == Tok::Semicolon))
    mend(found, "Write `:`", {{{begin, begin + 3}, "var"}, {{into.name.span.end, from}, ": "}, {{from, array ? from + static_cast<std::uint32_t>(first.size()) : from}, array ? fmt::format("tile<{}>", scalar) : ""}});
  into.is_var = true;
  return true;
}

// `let a = 1, b = 2`: the rest of it. `outer`: of `int a = 1, b = 2`, reported already.
void ItemParser::more_declarations(Block& into, bool is_var, Found outer, std::string_view typed) {
  if (peek() != Tok::Comma || raw(1) != Tok::Name || (raw(2) != Tok::Assign && typed.empty()) || !same_line(2 - (typed.empty() ? 0 : 1))) return;
  const bool own = typed.empty();
  const auto found = own ? report(Code::SyntaxUnexpected, token().span(), "`,`: one declaration names one value") : outer;
  const std::size_t errors = errors_;
  std::vector<std::pair<Span, std::string>> edits;
  while (peek() == Tok::Comma && raw(1) == Tok::Name) {
    const Span comma{token().begin, token(1).begin};
    const Lexeme name = token(1);
    edits.push_back({comma, fmt::format("; {} ", is_var ? "var" : "let")});
    pos_ += 2;
    error_at_ = no_partner;
    LetStmt each{is_var, {std::string(text(name.span())), name.span(), false}, {}, {}};
    if (!own) {
      each.type = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(typed), name.span(), false}, {}, name.span()};
      edits.push_back({{name.end, name.end}, fmt::format(": {}{}", typed, peek() == Tok::Assign ? "" : typed[0] == 'f' || typed[0] == 'b' ? " = 0.0" : " = 0")});
    }
    each.init = accept(Tok::Assign) ? value() : error_expression(name.span());
    into.push_back(add(name.begin, std::move(each)));
  }
  if (errors_ != errors || !found) return;
  if (own) return mend(found, "Declare each", std::move(edits));
  if (item_.diagnostics[*found].fixes.empty()) return;
  for (auto& [span, words] : edits) item_.diagnostics[*found].fixes.back().edits.push_back({{span, 0}, std::move(words)});
}

// From behind the name on. `outer` and `typed`: of a declaration as C writes it, which was reported, and the type that it has.
void ItemParser::declared(Block& into, std::uint32_t begin, bool is_var, Name name, Found outer, std::string_view typed) {
  LetStmt result{is_var, std::move(name), {}, {}};
  declared_type(result, begin, previous_end());
  Block others;
  if (peek() == Tok::Comma && typed.empty()) {
    report(Code::SyntaxUnexpected, token().span(), "`,`: one declaration names one value");
    while (peek() == Tok::Comma && raw(1) == Tok::Name) {
      ++pos_;
      const Lexeme other = token();
      ++pos_;
      LetStmt each;
      each.is_var = is_var;
      each.name.text = text(other.span());
      each.name.span = other.span();
      each.init = error_expression(other.span());
      others.push_back(add(other.begin, std::move(each)));
    }
    error_at_ = pos_;
  }
  join_assignment();
  if (peek() == Tok::Colon && raw(1) == Tok::Assign) {
    const Span sign{token().begin, token(1).end};
    mend(foreign(sign, fmt::format("`{}` is written `=`", text(sign))), "Write `=`", {{sign, "="}});
    ++pos_;
  } else if (peek() == Tok::Colon) {
    ++pos_;
    result.type = type();
  }
  join_assignment();
  const Span sign = token().span();
  if (peek() == Tok::Assign) {
    ++pos_;
    if (!type_as_value(result, begin, sign)) result.init = value();
    if (peek() == Tok::Assign) foreign(token().span(), "an assignment is a statement and gives no value");
  } else if (assigns(peek()) || peek() == Tok::EqEq) {
    mend(report(Code::SyntaxExpected, sign, fmt::format("`=` before the value, not {}", described(token()))), "Write `=`", {{sign, "="}});
    ++pos_;
    result.init = value();
  } else if (result.name.missing && error_at_ == pos_) {
    result.init = error_expression(behind());
  } else if (begins_operand(peek())) {
    insert(report(Code::SyntaxExpected, behind(), "`=` before the value"), previous_end(), " =");
    error_at_ = no_partner;
    result.init = value();
    ++errors_;
  } else if (!is_var || !result.type) {
    const auto found = report(Code::SyntaxExpected, behind(), is_var ? "a type or `=` and a value" : "`=` and a value");
    const bool is_tile = result.type && result.type->form == TypeSyntax::Form::Tile;
    if (is_tile && text({begin, begin + 3}) == "let") mend(found, "Write `var`", {{{begin, begin + 3}, "var"}});
    if (is_tile) result.is_var = true;
    result.init = error_expression(behind());
  }
  if (!others.empty()) result.init = error_expression(sign);
  into.push_back(add(begin, std::move(result)));
  into.insert(into.end(), others.begin(), others.end());
  more_declarations(into, is_var, outer, typed);
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
  return raw(1) == Tok::Assign && (kind == Tok::OrOr || kind == Tok::AndAnd || (kind >= Tok::Or && kind <= Tok::Percent));
}

// `x + = 1`, `A[0] : = 1`, `flag ||= x`: signs in a row that mean an assignment. Behind the target; the `=` is left, and what it
// does on the way is given back.
std::optional<BinaryOp> ItemParser::split_assignment(ExprId target) {
  const Tok kind = peek();
  if (kind == Tok::End || raw(1) != Tok::Assign || !same_line(1)) return {};
  const Span all{token().begin, token(1).end};
  const std::string word(text(token().span())), to(text(item_.exprs[target].span));
  if (kind == Tok::Colon && !std::holds_alternative<NameExpr>(item_.exprs[target].node)) {
    mend(foreign(all, fmt::format("`{}` is written `=`", text(all))), "Write `=`", {{all, "="}});
  } else if (kind == Tok::OrOr || kind == Tok::AndAnd) {
    const auto found = foreign(all, fmt::format("there is no `{0}=`: write `x = x {0} y`", word));
    if (simple(target)) mend(found, fmt::format("Write `= {} {}`", to, word), {{all, fmt::format("= {} {}", to, word)}});
  } else if (kind >= Tok::Or && kind <= Tok::Percent) {
    mend(foreign(all, fmt::format("`{}` is written `{}=`", text(all), word)), fmt::format("Write `{}=`", word), {{all, word + "="}});
  } else {
    return {};
  }
  ++pos_;
  --errors_;
  error_at_ = no_partner;
  if (kind == Tok::Colon) return {};
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
    const auto found = report(Code::SyntaxExpected, at, "a name or an element of one to assign to");
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
  ++pos_;
  result.value = value();
  if (peek() == Tok::Assign) foreign(token().span(), "an assignment is a statement and gives no value");
  into.push_back(add(begin, std::move(result)));
}

void ItemParser::return_statement(Block& into) {
  const std::uint32_t begin = token().begin;
  ++pos_;
  ExprId result;
  if (peek() != Tok::End && raw() != Tok::Semicolon && raw() != Tok::RightBrace && !begins_statement(raw())) result = expression();
  if (peek() == Tok::Comma) report(Code::SyntaxUnexpected, token().span(), "`,`: a function returns one value");
  into.push_back(add(begin, ReturnStmt{result}));
}

// --- control -------------------------------------------------------------------------------------------------------------

ExprId ItemParser::condition(std::string_view what) {
  if (raw() == Tok::LeftBrace || (raw() == Tok::Colon && raw(1) != Tok::Plus)) {
    expected(what);
    return error_expression(behind());
  }
  ExprId result = expression();
  const bool ends = peek() == Tok::End || raw() == Tok::LeftBrace || raw() == Tok::Colon || begins_statement(raw()) || word_is("then") || word_is("do");
  if (!ends && raw() != Tok::Assign && raw() != Tok::RightParen && on_this_line(Tok::LeftBrace)) return error_expression(item_.exprs[result].span);
  if (peek() != Tok::Assign) return result;
  const Span sign = token().span();
  if (raw(1) == Tok::Less || raw(1) == Tok::Greater) return result;
  mend(report(Code::AssignedCondition, sign), "Write `==`", {{sign, "=="}});
  ++pos_;
  const ExprId right = binary(3);
  return add({BinaryExpr{BinaryOp::Eq, sign, result, right}, cover(item_.exprs[result].span, item_.exprs[right].span)});
}

void ItemParser::while_statement(Block& into) {
  const auto head = static_cast<std::uint32_t>(pos_);
  const std::uint32_t begin = token().begin;
  ++pos_;
  const ExprId test = condition("a condition");
  Block inner = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(begin, WhileStmt{test, std::move(inner)}));
}

// A chain of `else if` is read with a loop: its length is no depth here.
StmtId ItemParser::if_statement() {
  struct Branch {
    std::uint32_t begin;
    ExprId condition;
    Block then;
  };
  std::vector<Branch> branches;
  std::optional<Block> last;
  Braces braces;
  const auto first = static_cast<std::uint32_t>(pos_);
  for (bool more = true; more;) {
    const auto head = static_cast<std::uint32_t>(pos_);
    const std::uint32_t begin = token().begin;
    ++pos_;
    const ExprId test = condition("a condition");
    branches.push_back({begin, test, body_of(head, "`{` to begin the branch", &braces)});
    more = else_if_follows(last, first, braces);
    if (branches.size() > 1 && branches.size() + static_cast<std::size_t>(depth_) > nesting_limit) {  // the later stages recurse over it
      too_deep();
      branches.pop_back();
    }
  }
  finish(braces);
  StmtId result;
  for (auto each = branches.rbegin(); each != branches.rend(); ++each) {
    if (result) last = Block{result};
    result = add(each->begin, IfStmt{each->condition, std::move(each->then), std::move(last)});
    last.reset();
  }
  return result;
}

// Behind a branch. Takes the `else`; true at the `if` of an `else if`, else the last branch, if there is one, is in `last`.
bool ItemParser::else_if_follows(std::optional<Block>& last, std::uint32_t first, Braces& braces) {
  const bool elif = (word_is("elif") || word_is("elseif") || word_is("elsif")) && begins_operand(raw(1)) && !token(1).newline;
  const std::size_t semicolon = braces.close && raw() == Tok::Semicolon && raw(1) == Tok::Else ? 1 : 0;
  if (braces.close && (elif || raw(semicolon) == Tok::Else)) {  // behind a body without braces
    const Lexeme word = token(semicolon);
    if (word.newline && word.indent != tokens_[first].indent) return false;  // it belongs to an outer `if`
    pos_ += semicolon;
    braces.edits.push_back({word.span(), elif ? "} else if" : "} else"});
    braces.close.reset();
    if (elif) return true;
    return branch_behind_else(last, braces);
  }
  if (raw() == Tok::Name && raw(1) == Tok::LeftBrace && same_line(0) && same_line(1) && (near_word("else") || word_is("esle") || word_is("otherwise"))) {
    respell("else");
    tokens_[pos_].kind = Tok::Else;
  }
  if (elif) {
    const Span word{previous_end(), token().end};
    const bool blank = trimmed(text({word.begin, token().begin})).empty();
    const auto found = foreign(token().span(), fmt::format("`{}` is written `else if`", text(token().span())));
    if (blank) mend(found, "Write `else if`", {{word, " else if"}});
    return true;
  }
  if (raw() == Tok::LeftBrace && same_line(0)) {  // `} {`
    insert(report(Code::SyntaxExpected, behind(), "`else` between the two blocks"), previous_end(), " else");
    last = block();
    return false;
  }
  if (raw() != Tok::Else) return false;
  if (token().newline) {
    const Span between{previous_end(), token().begin};
    const auto found = report(Code::ElseOnItsOwnLine, token().span());
    if (trimmed(text(between)).empty()) mend(found, "Join the lines", {{between, " "}});
  }
  return branch_behind_else(last, braces);
}

// At an `else`. True at the `if` behind it.
bool ItemParser::branch_behind_else(std::optional<Block>& last, Braces& braces) {
  const auto head = static_cast<std::uint32_t>(pos_++);
  if (raw() == Tok::If) return true;
  if (raw() == Tok::Name && same_line(0) && same_line(1) && near_word("if") && begins_operand(raw(1)) && on_this_line(Tok::LeftBrace)) {
    respell("if");
    return true;
  }
  if (raw() == Tok::LeftBrace) {
    last = block();
  } else if (begins_operand(raw()) && same_line(0) && on_this_line(Tok::LeftBrace)) {  // `else x > 3 {`
    insert(report(Code::SyntaxExpected, behind(), "`if` before the condition"), previous_end(), " if");
    --pos_;
    error_at_ = no_partner;
    return true;
  } else {
    last = body_of(head, "`{` or `if` behind `else`", &braces);
  }
  return false;
}

// --- bodies --------------------------------------------------------------------------------------------------------------

// Behind the head of a statement that has a body. `head` is its first token.
Block ItemParser::body_of(std::uint32_t head, std::string_view what, Braces* of_chain) {
  Braces own;
  Braces& braces = of_chain ? *of_chain : own;
  const bool outer = newline_ends_;
  newline_ends_ = true;
  if (raw() != Tok::LeftBrace && same_line(0) && take_unopened()) error_at_ = no_partner;
  if (raw() == Tok::LeftBrace && token().newline && pos_ > 0 && tokens_[pos_ - 1].kind != Tok::Else) {
    const Span between{previous_end(), token().begin};
    const auto found = report(Code::SyntaxExpected, token().span(), "the `{` on the line before");
    if (trimmed(text(between)).empty()) mend(found, "Join the lines", {{between, " "}});
  }
  Block result;
  if (raw() == Tok::LeftBrace) {
    result = block();
  } else if (raw() == Tok::End) {
    expected(what);
  } else if (token().newline || raw() == Tok::RightBrace) {
    result = indented_body(head, what, braces);
  } else if (const auto brace = on_this_line(Tok::LeftBrace); brace && !begins_statement(raw())) {
    if (!foreign_junk()) {
      const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("{}, not {}", what, described(token())));
      if (*brace == pos_ + 1 && (word_is("then") || word_is("do") || raw() == Tok::Colon)) mend(found, fmt::format("Remove {}", described(token())), {{{previous_end(), token().end}, ""}});
    }
    pos_ = *brace;
    result = block();
  } else if (raw() == Tok::Colon || word_is("then") || word_is("do")) {
    result = body_after_colon(head, braces);
  } else if (raw() == Tok::Semicolon) {
    expected(what);
  } else {
    result = body_on_the_line(what, braces);
  }
  newline_ends_ = outer;
  if (!of_chain) finish(braces);
  return result;
}

// The statements that are indented further than the head, as a person reads it.
Block ItemParser::indented(std::uint32_t head) {
  Block result;
  const std::uint32_t indent = tokens_[head].indent;
  if (!enter()) return result;
  while (raw() != Tok::End && raw() != Tok::RightBrace && token().indent > indent) {
    const std::size_t from = pos_, errors = errors_;
    statement(result);
    end_of_statement(result, errors_ != errors);
    if (pos_ == from) skip_group();
  }
  leave();
  return result;
}

void ItemParser::finish(Braces& braces) {
  if (braces.close) braces.edits.push_back({{braces.close->first, braces.close->first}, braces.close->second});
  if (!braces.mendable || braces.edits.empty()) return;
  const std::string title = !braces.title.empty() ? braces.title : braces.edits.size() == 1 ? "Insert `{`" : "Put the body in `{ }`";
  mend(braces.found, title, std::move(braces.edits));
}

Block ItemParser::indented_body(std::uint32_t head, std::string_view what, Braces& braces) {
  const std::uint32_t indent = tokens_[head].indent, from = previous_end();
  if (!braces.reported) braces.found = report(Code::SyntaxExpected, behind(), what);
  else ++errors_, error_at_ = pos_;
  braces.reported = true;
  const bool deeper = token().newline && token().indent > indent;
  Block result;
  if (raw() != Tok::RightBrace && deeper) {
    result = indented(head);
  } else if (raw() != Tok::RightBrace && stray_braces_ > 0) {
    statements(result);
  } else if (raw() != Tok::RightBrace) {
    braces.mendable = false;
    return result;
  }
  const std::pair<Span, std::string> opener{{from, from}, " {"};
  if (raw() == Tok::RightBrace && stray_braces_ > 0 && (token().indent == indent || !token().newline)) {
    ++pos_;
    --stray_braces_;
    braces.edits.push_back(opener);
  } else if (previous_end() > from) {
    braces.edits.push_back(opener);
    braces.close = {previous_end(), closing_line(indent)};
  } else {
    braces.mendable = false;
  }
  return result;
}

// `if x > 3 y = 1`, as in C.
Block ItemParser::body_on_the_line(std::string_view what, Braces& braces) {
  const std::uint32_t from = previous_end();
  if (!braces.reported) braces.found = report(Code::SyntaxExpected, behind(), what);
  else ++errors_;
  braces.reported = true;
  const std::size_t errors = errors_;
  error_at_ = no_partner;
  Block result;
  if (!begins_operand(raw()) && !begins_statement(raw())) {
    braces.mendable = false;
    return result;
  }
  if (!enter()) {
    while (raw() != Tok::End && !token().newline && raw() != Tok::RightBrace) skip_group();
    error_at_ = pos_;
    braces.mendable = false;
    return result;
  }
  statement(result);
  leave();
  const std::uint32_t end = previous_end();
  if (errors_ == errors) {
    const bool before_brace = raw() != Tok::Semicolon;
    braces.edits.push_back({{from, from}, " {"});
    braces.close = {before_brace ? end : token().end, " }"};
  } else {
    braces.mendable = false;
  }
  ++errors_;
  return result;
}

// `if x > 3:`, as in Python.
Block ItemParser::body_after_colon(std::uint32_t head, Braces& braces) {
  const Span sign = token().span();
  const bool colon = raw() == Tok::Colon;
  if (!braces.reported) braces.found = foreign(sign, "a body is written in `{ }`");
  else ++errors_;
  braces.reported = true;
  ++pos_;
  Block result;
  if (!token().newline && raw() != Tok::End) {
    if (!enter()) {
      while (raw() != Tok::End && !token().newline && raw() != Tok::RightBrace) skip_group();
      braces.mendable = false;
      return result;
    }
    statement(result);
    leave();
    braces.close = {previous_end(), " }"};
  } else {
    result = indented(head);
    if (result.empty()) braces.mendable = false;
    else braces.close = {previous_end(), closing_line(tokens_[head].indent)};
  }
  braces.edits.push_back({sign, colon ? " {" : "{"});
  return result;
}

}  // namespace phobos::syntax
