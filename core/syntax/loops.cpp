// `for` and its range.
#include <algorithm>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

void ItemParser::for_statement(Block& into) {
  const auto head = static_cast<std::uint32_t>(pos_++);
  ForStmt result;
  if (raw() == Tok::Less) unroll(result);
  if (word_is("unroll") && (raw(1) == Tok::Greater || (raw(1) == Tok::Integer && raw(2) == Tok::Greater))) {  // `for unroll 4> i in …`
    const std::size_t length = raw(1) == Tok::Greater ? 1 : 2;
    insert(report(Code::SyntaxExpected, token().span(), "`<` before `unroll`"), token().begin, "<");
    if (length == 2) result.unroll = static_cast<std::int64_t>(std::clamp<std::uint64_t>(integer_value(token(1), false), 1, 1024));
    else result.unroll = 0;
    pos_ += length + 1;
    --errors_;
    error_at_ = no_partner;
  } else if (word_is("unroll") && raw(1) == Tok::Name) {  // `for unroll i in …`
    mend(report(Code::SyntaxExpected, token().span(), "`unroll` in `<…>`, as in `for<unroll>`"), "Write `<unroll>`", {{{previous_end(), token().end}, "<unroll>"}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
    result.unroll = 0;
  }
  if (raw() == Tok::LeftParen && for_in_parentheses(into, head, result)) return;
  loop_variable(head, result);
  if (raw() == Tok::Comma) {
    foreign(token().span(), "a loop has one variable");
    while (raw() == Tok::Comma || raw() == Tok::Name) ++pos_;
    error_at_ = pos_;
    if (raw() == Tok::In && !word_is("range", 1)) {  // `for i, x in enumerate(A)`
      to_body();
      return loop_over_nothing(into, head, std::move(result));
    }
  }
  if ((raw() == Tok::Assign || (raw() == Tok::Colon && raw(1) == Tok::Assign)) && same_line(0)) {  // `for i = 0; i < n; …`
    counting_loop(into, head, std::move(result), head + 1);
    return;
  }
  if (!accept(Tok::In)) {
    const bool there = word_is("range") || raw() == Tok::LeftParen;
    const bool misspelt = raw() == Tok::Name && !there && (word_is("range", 1) || raw(1) == Tok::Integer);  // `for i of range(…)`
    if (misspelt) {
      respell("in");
      ++pos_;
    } else {
      const auto found = there ? report(Code::SyntaxExpected, gap(), "`in` behind the loop's variable") : expected("`in` behind the loop's variable");
      if (there) insert(found, previous_end(), " in");
      if (!there) {
        to_body();
        loop_over_nothing(into, head, std::move(result));
        return;
      }
    }
    error_at_ = no_partner;
  }
  loop_over_range(into, head, std::move(result));
}

// `i`, and what other languages write around it: `let i`, `i: i32`, `i<unroll>`.
void ItemParser::loop_variable(std::uint32_t head, ForStmt& into) {
  if ((raw() == Tok::Let || raw() == Tok::Var) && raw(1) == Tok::Name && same_line(1)) {
    mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: a loop's head names its variable alone", described(token()))), fmt::format("Remove `{}`", text(token().span())), {{{token().begin, token(1).begin}, ""}});
    ++pos_;
    --errors_;
    error_at_ = no_partner;
  }
  into.variable = declared_name("the loop's variable");
  const std::uint32_t end = previous_end();
  if (raw() == Tok::Less && word_is("unroll", 1) && same_line(1)) {
    const auto found = report(Code::SyntaxUnexpected, token().span(), "`<`: `<unroll>` stands behind `for`");
    error_at_ = no_partner;
    const std::size_t errors = errors_;
    unroll(into);
    if (errors_ == errors) mend(found, "Move it behind `for`", {{{tokens_[head].end, tokens_[head].end}, std::string(text({end, previous_end()}))}, {{end, previous_end()}, ""}});
  } else if (raw() == Tok::Colon && raw(1) == Tok::Name && raw(2) == Tok::In) {
    mend(report(Code::SyntaxUnexpected, token().span(), "`:`: a loop's variable is an `index` and declares no type"), "Remove it", {{{end, token(1).end}, ""}});
    pos_ += 2;
    --errors_;
    error_at_ = no_partner;
  }
}

void ItemParser::loop_over_range(Block& into, std::uint32_t head, ForStmt loop) {
  const std::size_t errors = errors_, said = item_.diagnostics.size();
  if (range_reversed(into, head, loop)) return;
  range(loop);
  if ((word_is("step") || word_is("by")) && begins_operand(raw(1)) && same_line(1) && !loop.step) {  // `range(0, n) step 2`
    const Span word = token().span();
    const bool other_words = item_.diagnostics.size() > said;  // `0..n step 2`: one mistake
    const auto found = other_words ? Found(said) : foreign(word, "a range's step is its third bound: `range(a, b, s)`");
    const bool closes = tokens_[pos_ - 1].kind == Tok::RightParen && errors_ == errors + (other_words ? 0 : 1);
    const std::uint32_t behind = previous_end();
    ++pos_;
    error_at_ = no_partner;
    loop.step = unary();
    const Span step = item_.exprs[loop.step].span;
    if (closes) mend(found, "Write the step as a bound", {{{behind - 1, behind - 1}, fmt::format(", {}", text(step))}, {{behind, step.end}, ""}});
    else if (other_words && !item_.diagnostics[said].fixes.empty()) {
      auto& edits = item_.diagnostics[said].fixes.back().edits;
      if (edits.size() == 1 && edits[0].text.ends_with(")")) {
        edits[0].location.span.end = step.end;
        edits[0].text.insert(edits[0].text.size() - 1, fmt::format(", {}", text(step)));
        item_.diagnostics[said].fixes.back().title = fmt::format("Write `{}`", edits[0].text);
      }
    }
    error_at_ = no_partner;
  }
  loop.body = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(tokens_[head].begin, std::move(loop)));
}

void ItemParser::loop_over_nothing(Block& into, std::uint32_t head, ForStmt loop) {
  loop.begin = error_expression(behind());
  loop.end = error_expression(behind());
  loop.body = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(tokens_[head].begin, std::move(loop)));
}

// Past a head that cannot be read, to the body's `{` on its line or to the line's end.
void ItemParser::to_body() {
  while (raw() != Tok::End && raw() != Tok::RightBrace && raw() != Tok::LeftBrace) {
    ++pos_;
    if (token().newline) break;
  }
  error_at_ = pos_;
}

// `for (int i = a; i < b; i++)`, `for (i in range(a, b))` and `for (;;)`. At the parenthesis.
bool ItemParser::for_in_parentheses(Block& into, std::uint32_t head, ForStmt& loop) {
  const std::size_t opener = pos_;
  std::size_t i = opener + 1;
  if (raw(1) == Tok::Semicolon && raw(2) == Tok::Semicolon && raw(3) == Tok::RightParen) {
    mend(foreign({token().begin, token(3).end}, "a loop without a range is `while true`"), "Write `while true`", {{{tokens_[head].begin, token(3).end}, "while true"}});
    const ExprId always = add({BoolLiteral{true}, {token().begin, token(3).end}});
    pos_ += 4;
    error_at_ = no_partner;
    Block inner = body_of(head, "`{` to begin the loop's body");
    into.push_back(add(tokens_[head].begin, WhileStmt{always, std::move(inner)}));
    return true;
  }
  while (tokens_[i].kind == Tok::Name && tokens_[i + 1].kind == Tok::Name) ++i;  // the type
  if (tokens_[i].kind == Tok::Let || tokens_[i].kind == Tok::Var) ++i;
  if (tokens_[i].kind != Tok::Name) return false;
  if (tokens_[i + 1].kind == Tok::In && closed(opener)) {
    loop.variable = {std::string(text(tokens_[i].span())), tokens_[i].span(), false};
    const Span closer = tokens_[partner_[opener]].span();
    mend(foreign(token().span(), "a loop's head has no parentheses"), "Remove the parentheses", {{token().span(), ""}, {closer, ""}});
    const std::size_t end = partner_[opener];
    pos_ = i + 2;
    range(loop);
    skip_to(end + 1);
    error_at_ = no_partner;
    loop.body = body_of(head, "`{` to begin the loop's body");
    into.push_back(add(tokens_[head].begin, std::move(loop)));
    return true;
  }
  if (tokens_[i + 1].kind != Tok::Assign) return false;
  loop.variable = {std::string(text(tokens_[i].span())), tokens_[i].span(), false};
  pos_ = i + 1;
  counting_loop(into, head, std::move(loop), opener);
  return true;
}

// Whether a range goes over the same values and leaves nothing that is read: the bounds are taken once, and its variable ends with it.
// Behind the head.
bool ItemParser::same_as_range(std::string_view variable, bool declares, ExprId end, ExprId step) const {
  std::vector<std::string_view> kept{variable};  // what the body leaves alone
  for (const ExprId bound : {end, step}) {
    if (!bound) continue;
    const auto* binary = std::get_if<BinaryExpr>(&item_.exprs[bound].node);
    if (binary && (is_comparison(binary->op) || is_logical(binary->op))) return false;  // `i < n && x[i] > 0.0`
    const Span at = item_.exprs[bound].span;
    for (std::size_t i = pos_; i-- > 0 && tokens_[i].begin >= at.begin;) {
      if (tokens_[i].kind != Tok::Name || tokens_[i].end > at.end) continue;
      const std::string_view name = text(tokens_[i].span());
      if (name == variable) return false;
      kept.push_back(name);
    }
  }
  std::size_t last = pos_;  // of the body
  if (raw() == Tok::LeftBrace && closed(pos_)) last = partner_[pos_];
  else while (tokens_[last].kind != Tok::End && tokens_[last].kind != Tok::Semicolon && !tokens_[last + 1].newline) ++last;
  const auto counts = [&](std::size_t i) { return (tokens_[i].kind == Tok::Plus || tokens_[i].kind == Tok::Minus) && tokens_[i + 1].kind == tokens_[i].kind; };
  for (std::size_t i = pos_; i < last; ++i) {
    if (tokens_[i].kind != Tok::Name || std::find(kept.begin(), kept.end(), text(tokens_[i].span())) == kept.end()) continue;
    std::size_t behind = i + 1;
    while (tokens_[behind].kind == Tok::LeftBracket && closed(behind)) behind = partner_[behind] + 1;
    if (assigns(tokens_[behind].kind) || counts(behind) || counts(i - 2)) return false;
  }
  if (declares) return true;
  for (std::size_t i = last + 1; i < tokens_.size() && tokens_[i].kind != Tok::End; ++i)  // `int i; for (i = 0; …) …; x[i] = …`
    if (tokens_[i].kind == Tok::Name && text(tokens_[i].span()) == variable) {
      const Tok before = tokens_[i - 1].kind, behind = tokens_[i + 1].kind;
      const bool declared = before == Tok::Let || before == Tok::Var || (before == Tok::Name && !tokens_[i].newline) || behind == Tok::In || behind == Tok::Colon;
      return declared || behind == Tok::Assign;
    }
  return true;
}

// `i = start; i < end; i++`, with or without parentheses. At the `=`; `from` is the first token behind `for`.
void ItemParser::counting_loop(Block& into, std::uint32_t head, ForStmt loop, std::size_t from) {
  const bool parens = tokens_[from].kind == Tok::LeftParen;
  const bool outer = newline_ends_;
  newline_ends_ = true;
  const std::size_t sign = pos_;
  const Tok word = tokens_[sign - 2].kind;  // before the variable
  const bool declares = raw() == Tok::Colon || word == Tok::Name || word == Tok::Let || word == Tok::Var;
  pos_ = parens ? from : sign;
  const auto found = foreign(token().span(), "a loop runs over a range: `for i in range(start, end)`");
  pos_ = sign;
  accept(Tok::Colon);
  ++pos_;
  const auto gives_up = [&] {
    error_at_ = pos_;
    to_body();
    newline_ends_ = outer;
    loop_over_nothing(into, head, std::move(loop));
  };
  const auto is_variable = [&](std::size_t ahead) { return raw(ahead) == Tok::Name && text(token(ahead).span()) == loop.variable.text; };
  const auto one_more = [&](ExprId bound) { return fmt::format(fmt::runtime(simple(bound) ? "{} + 1" : "({}) + 1"), text(item_.exprs[bound].span)); };
  const std::size_t errors = errors_;
  error_at_ = no_partner;
  const ExprId start = expression();
  const bool words = word_is("to") || word_is("until"), inclusive = !word_is("until");  // `for i = 0 to n`, and `for i = 0, n` of Lua and Fortran
  if (raw() == Tok::Comma || words) {
    ++pos_;
    const ExprId end = expression();
    if (errors_ == errors && raw() == Tok::LeftBrace && same_as_range(loop.variable.text, declares, end, {}))
      mend(found, "Write a range", {{{tokens_[from].begin, previous_end()}, fmt::format("{} in range({}, {})", loop.variable.text, text(item_.exprs[start].span), inclusive ? one_more(end) : std::string(text(item_.exprs[end].span)))}});
    loop.begin = start;
    loop.end = end;
    newline_ends_ = outer;
    error_at_ = no_partner;
    loop.body = body_of(head, "`{` to begin the loop's body");
    into.push_back(add(tokens_[head].begin, std::move(loop)));
    return;
  }
  if (!accept(Tok::Semicolon) || !is_variable(0)) return gives_up();
  const Tok test = raw(1);
  if (test != Tok::Less && test != Tok::LessEq && test != Tok::NotEq && test != Tok::Greater && test != Tok::GreaterEq) return gives_up();
  pos_ += 2;
  const ExprId end = expression();
  if (!accept(Tok::Semicolon)) return gives_up();
  ExprId step;
  bool up = true;
  if ((raw() == Tok::Plus || raw() == Tok::Minus) && raw(1) == raw() && is_variable(2)) {  // `++i`
    up = raw() == Tok::Plus;
    pos_ += 3;
  } else if (is_variable(0) && (raw(1) == Tok::Plus || raw(1) == Tok::Minus) && raw(2) == raw(1)) {  // `i++`
    up = raw(1) == Tok::Plus;
    pos_ += 3;
  } else if (is_variable(0) && (raw(1) == Tok::AddAssign || raw(1) == Tok::SubAssign)) {  // `i += e`
    up = raw(1) == Tok::AddAssign;
    pos_ += 2;
    step = expression();
  } else if (is_variable(0) && raw(1) == Tok::Assign && is_variable(2) && (raw(3) == Tok::Plus || raw(3) == Tok::Minus)) {  // `i = i + e`
    up = raw(3) == Tok::Plus;
    pos_ += 4;
    step = expression();
  } else {
    return gives_up();
  }
  if (parens && !accept(Tok::RightParen)) return gives_up();
  const bool same = same_as_range(loop.variable.text, declares, end, step);
  const auto* truth = std::get_if<BinaryExpr>(&item_.exprs[end].node);
  const bool only_bound = !truth || !(is_comparison(truth->op) || is_logical(truth->op));
  if (!only_bound && found) item_.diagnostics[*found].message += "; one that ends by a condition is a `while`";
  const bool counts_up = only_bound && up && test != Tok::Greater && test != Tok::GreaterEq && (test != Tok::NotEq || !step);
  if (!counts_up) {
    error_at_ = no_partner;
    newline_ends_ = outer;
    if (errors_ == errors && same && !up && !step && (test == Tok::Greater || test == Tok::GreaterEq)) {
      loop.begin = start;
      loop.end = end;
      return counting_down(into, head, std::move(loop), from, found, test == Tok::GreaterEq ? Descent::Inclusive : Descent::Exclusive);
    }
    return loop_over_nothing(into, head, std::move(loop));
  }
  const std::string last = test == Tok::LessEq ? one_more(end) : std::string(text(item_.exprs[end].span));
  std::string range = fmt::format("{} in range({}, {}", loop.variable.text, text(item_.exprs[start].span), last);
  const auto* one = step ? std::get_if<IntLiteral>(&item_.exprs[step].node) : nullptr;
  if (step && !(one && one->value == 1)) range += fmt::format(", {}", text(item_.exprs[step].span));
  if (errors_ == errors && same) mend(found, "Write a range", {{{tokens_[from].begin, previous_end()}, range + ")"}});
  loop.begin = start;
  loop.end = end;
  loop.step = step;
  newline_ends_ = outer;
  error_at_ = no_partner;
  loop.body = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(tokens_[head].begin, std::move(loop)));
}

// `i = start; i >= end; i--`, whose bounds `loop` has. Behind the head.
void ItemParser::counting_down(Block& into, std::uint32_t head, ForStmt loop, std::size_t from, Found found, Descent descent) {
  const auto operand = [&](ExprId id) {
    const auto* binary = std::get_if<BinaryExpr>(&item_.exprs[id].node);
    const bool sums = binary && binary->op >= BinaryOp::Add;
    return simple(id) || sums ? std::string(text(item_.exprs[id].span)) : fmt::format("({})", text(item_.exprs[id].span));
  };
  const bool before = descent == Descent::Before, inclusive = descent == Descent::Inclusive;
  const auto* from_number = std::get_if<IntLiteral>(&item_.exprs[loop.begin].node);
  const std::string start = operand(loop.begin), name = loop.variable.text, up = name + "_up";
  const std::string first = !before ? start : from_number && from_number->value > 0 ? std::to_string(from_number->value - 1) : start + " - 1";
  const auto* number = std::get_if<IntLiteral>(&item_.exprs[loop.end].node);
  std::string count = start;
  if (!number || number->value != 0) count += simple(loop.end) ? fmt::format(" - {}", text(item_.exprs[loop.end].span)) : fmt::format(" - ({})", text(item_.exprs[loop.end].span));
  if (inclusive && count.ends_with(" - 1")) count.resize(count.size() - 4);
  else if (inclusive) count += " + 1";
  if (found) item_.diagnostics[*found].message += fmt::format("; it counts up, so take `{} - {}`", first, up);
  if (raw() == Tok::LeftBrace && same_line(0) && raw(1) != Tok::RightBrace && text_.find(up) == std::string_view::npos) {
    const std::string value = fmt::format("let {} = {} - {}", name, first, up);
    mend(found, "Count up, and subtract", {{{tokens_[from].begin, previous_end()}, fmt::format("{} in range(0, {})", up, count)},
                                          {{token().end, token().end}, token(1).newline ? fmt::format("\n{:{}}{}", "", token(1).indent, value) : fmt::format(" {};", value)}});
  }
  std::swap(loop.begin, loop.end);
  loop.body = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(tokens_[head].begin, std::move(loop)));
}

// `reversed(range(a, b))`: it counts up, and subtracts.
bool ItemParser::range_reversed(Block& into, std::uint32_t head, ForStmt& loop) {
  if (!word_is("reversed") || raw(1) != Tok::LeftParen || !word_is("range", 2) || raw(3) != Tok::LeftParen || !closed(pos_ + 1) || !closed(pos_ + 3)) return false;
  const std::size_t from = head + 1, end = partner_[pos_ + 1];
  const auto found = foreign(token().span(), "a loop runs over a range: `for i in range(start, end)`");
  const std::size_t errors = errors_;
  pos_ += 4;
  error_at_ = no_partner;
  ExprId first = expression();
  const bool two = accept(Tok::Comma);
  ExprId last = two ? expression() : first;
  if (!two) first = add({IntLiteral{0}, item_.exprs[last].span});
  const bool read = errors_ == errors && pos_ + 1 == end;
  skip_to(end + 1);
  error_at_ = no_partner;
  if (!read) {
    loop.begin = first;
    loop.end = last;
    loop.body = body_of(head, "`{` to begin the loop's body");
    into.push_back(add(tokens_[head].begin, std::move(loop)));
    return true;
  }
  loop.begin = last;
  loop.end = first;
  counting_down(into, head, std::move(loop), from, found, Descent::Before);
  return true;
}

// `tl.range(0, n)`, `static_range(0, 4)`: past what stands for `range`.
bool ItemParser::range_of_module(ForStmt& into) {
  std::size_t last = 0;
  while (raw(last) == Tok::Name && raw(last + 1) == Tok::Dot && raw(last + 2) == Tok::Name) last += 2;
  const std::string_view word = raw(last) == Tok::Name ? text(token(last).span()) : "";
  const bool unrolls = word == "static_range";
  if (raw(last + 1) != Tok::LeftParen || !(unrolls || (last > 0 && word.ends_with("range")))) return false;
  const Span whole{token().begin, token(last).end};
  const auto found = report(Code::SyntaxExpected, whole, fmt::format("`range(start, end)` behind `in`, not `{}`", text(whole)));
  std::vector<std::pair<Span, std::string>> edits{{whole, "range"}};
  const std::uint32_t loop = tokens_[statement_at_].end;
  const bool whole_loop = unrolls && !into.unroll && tokens_[statement_at_].kind == Tok::For;
  if (whole_loop) edits.insert(edits.begin(), {{loop, loop}, "<unroll>"});
  mend(found, whole_loop ? "Write `for<unroll>` and `range`" : "Write `range`", std::move(edits));
  if (whole_loop) into.unroll = 0;
  pos_ += last + 1;
  error_at_ = no_partner;
  bounds(into, found);
  return true;
}

void ItemParser::range(ForStmt& into) {
  if (range_of_module(into)) return;
  const bool named = word_is("range");
  const bool other = raw() == Tok::Name && (raw(1) == Tok::LeftParen || raw(1) == Tok::LeftBracket) && !named && (raw(1) == Tok::LeftParen || near_word("range"));
  if (other) {
    const std::string_view word = text(token().span());
    const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("`range(start, end)` behind `in`, not {}", described(token())));
    const bool meant = (word.size() > 5 && word.ends_with("range")) || near_word("range");
    if (meant) mend(found, "Write `range`", {{token().span(), "range"}});
    if (!meant && raw(1) == Tok::LeftParen && closed(pos_ + 1)) {  // `enumerate(x)`: its arguments are no bounds
      skip_to(partner_[pos_ + 1] + 1);
      error_at_ = no_partner;
      into.begin = into.end = error_expression(behind());
      return;
    }
  }
  if (named || other) {
    ++pos_;
    if (raw() == Tok::LeftParen) return bounds(into, {});
    if (raw() == Tok::LeftBracket && closed(pos_) && same_line(0)) {  // `range[0, n]`
      const Span closer = tokens_[partner_[pos_]].span();
      mend(report(Code::SyntaxExpected, token().span(), "`(` to begin the range, not `[`"), "Write `(…)`", {{token().span(), "("}, {closer, ")"}});
      error_at_ = no_partner;
      return bounds(into, {});
    }
    const bool there = begins_operand(raw()) && same_line(0);
    const auto found = there ? report(Code::SyntaxExpected, gap(), "`(` to begin the range") : expected("`(` to begin the range");
    into.begin = into.end = error_expression(behind());
    if (!there) return;
    const Span gap{previous_end(), token().begin};
    error_at_ = no_partner;
    const std::size_t errors = errors_;
    into.begin = expression();
    if (accept(Tok::Comma)) into.end = expression();
    if (accept(Tok::Comma)) into.step = expression();
    const std::uint32_t end = previous_end();
    const bool closes = raw() == Tok::RightParen && partner_[pos_] == no_partner;
    if (closes) ++pos_;
    std::vector<std::pair<Span, std::string>> edits{{gap, "("}};
    if (!closes) edits.push_back({{end, end}, ")"});
    mend(found, closes ? "Insert `(`" : "Write `(…)`", std::move(edits));
    errors_ = errors + 1;
    error_at_ = pos_;
    return;
  }
  if (raw() == Tok::LeftParen && closed(pos_)) {
    const auto found = report(Code::SyntaxExpected, gap(), "`range` before the bounds");
    insert(found, previous_end(), " range");
    error_at_ = no_partner;
    return bounds(into, found);
  }
  range_in_other_words(into);
}

// `0..n`, `0:n`, `n`.
void ItemParser::range_in_other_words(ForStmt& into) {
  if (!begins_operand(raw())) {
    expected("`range(start, end)` behind `in`");
    into.begin = into.end = error_expression(behind());
    if (raw() != Tok::LeftBrace && !closes(raw()) && same_line(0)) to_body();
    return;
  }
  const std::uint32_t begin = token().begin;
  const auto found = report(Code::SyntaxExpected, token().span(), "`range(start, end)` behind `in`");
  const std::size_t errors = errors_;
  error_at_ = no_partner;
  const ExprId first = binary(0);
  const Span first_span = item_.exprs[first].span;
  std::string words = fmt::format("range(0, {})", text(first_span));
  bool mendable = errors_ == errors && std::holds_alternative<IntLiteral>(item_.exprs[first].node);
  into.begin = add({IntLiteral{0}, first_span});
  into.end = first;
  const bool dots = raw() == Tok::Dot && raw(1) == Tok::Dot;
  if (dots || (raw() == Tok::Colon && begins_operand(raw(1)) && same_line(1)) || ((word_is("to") || word_is("until")) && begins_operand(raw(1)))) {
    pos_ += dots ? 2 : 1;
    const bool inclusive = accept(Tok::Assign);
    into.begin = first;
    into.end = begins_operand(raw()) && same_line(0) ? expression() : error_expression(behind());
    mendable = errors_ == errors && !std::holds_alternative<ErrorExpr>(item_.exprs[into.end].node);
    words = fmt::format("range({}, {}{})", text(first_span), text(item_.exprs[into.end].span), inclusive ? " + 1" : "");
  } else if (!mendable) {
    into.end = error_expression(first_span);
  }
  if (mendable) mend(found, fmt::format("Write `{}`", words), {{{begin, previous_end()}, words}});
  error_at_ = no_partner;
}

// `@unroll` on the line above a loop. At the `@`.
bool ItemParser::unroll_above(Block& into) {
  if (!word_is("unroll", 1)) return false;
  const bool counted = raw(2) == Tok::LeftParen && raw(3) == Tok::Integer && raw(4) == Tok::RightParen;
  const std::size_t loop = counted ? 5 : 2;
  if (raw(loop) != Tok::For) return false;
  const std::string factor = counted ? fmt::format("<unroll {}>", text(token(3).span())) : "<unroll>";
  mend(foreign({token().begin, token(1).end}, "a loop is unrolled with `for<unroll>`"), fmt::format("Write `for{}`", factor), {{{token().begin, token(loop).end}, "for" + factor}});
  pos_ += loop;
  --errors_;
  error_at_ = no_partner;
  for_statement(into);
  return true;
}

// The parenthesis of `range(a, b, s)`. `outer`: what was said of it already.
void ItemParser::bounds(ForStmt& into, Found outer) {
  const std::size_t opener = pos_++;
  const Tok closer = tokens_[opener].kind == Tok::LeftBracket ? Tok::RightBracket : Tok::RightParen;
  const std::uint32_t inside = previous_end();
  const bool before = open(opener);
  std::vector<ExprId> all;
  if (!list_ends(opener)) {
    do {
      if (all.size() == 3) foreign(behind(), "`range` takes a start, an end and a step");
      if (raw() == Tok::Name && raw(1) == Tok::Assign) {  // `step=2`
        mend(foreign(token().span(), "bounds are given by place, not by name"), "Remove the name", {{{token().begin, token(2).begin}, ""}});
        pos_ += 2;
        --errors_;
        error_at_ = no_partner;
      }
      all.push_back(expression());
      if (all.size() == 1 && bound_sign(outer)) all.push_back(expression());
    } while (next_element(opener, "bounds"));
  }
  const auto join = [&](Span at, std::string_view words) {  // to the repair of what was said
    if (!item_.diagnostics[*outer].fixes.empty()) item_.diagnostics[*outer].fixes.back().edits.push_back({{at, 0}, std::string(words)});
  };
  if (all.size() == 1 && outer && raw() == closer) {
    join({inside, inside}, "0, ");
  } else if (all.size() < 2) {
    const auto found = report(Code::SyntaxExpected, gap(), all.empty() ? "the start and the end of the range" : "`,` and the end of the range");
    const bool whole = all.size() == 1 && raw() == closer && !std::holds_alternative<ErrorExpr>(item_.exprs[all[0]].node);
    if (whole) mend(found, "Start at 0", {{{inside, inside}, "0, "}});
  }
  into.end = all.size() > 1 ? all[1] : all.size() == 1 ? all[0] : error_expression(behind());
  into.begin = all.size() > 1 ? all[0] : all.size() == 1 ? add({IntLiteral{0}, {inside, inside}}) : error_expression(behind());
  if (all.size() > 2) into.step = all[2];
  close(opener, closer, "bounds", before);
  if (raw() == Tok::Dot && (word_is("step_by", 1) || word_is("step", 1)) && raw(2) == Tok::LeftParen && closed(pos_ + 2) && all.size() == 2) {  // `.step_by(2)`
    const Span between{previous_span().begin, token(2).end};
    if (outer) join(between, ", ");
    else mend(foreign({token().begin, token(1).end}, "a range's step is its third bound: `range(a, b, s)`"), "Write the step as a bound", {{between, ", "}});
    const std::size_t end = partner_[pos_ + 2];
    pos_ += 3;
    error_at_ = no_partner;
    into.step = expression();
    skip_to(end + 1);
    error_at_ = no_partner;
  }
}

// `0..n`, `0 : n`, `0; n` in a range's parenthesis. Behind the first bound; true where the second follows.
bool ItemParser::bound_sign(Found outer) {
  const bool dots = raw() == Tok::Dot && raw(1) == Tok::Dot;
  if (!dots && raw() != Tok::Colon && raw() != Tok::Semicolon) return false;
  const std::size_t length = dots ? 2 : 1;
  if (!begins_operand(raw(length))) return false;
  const Span sign{token().begin, token(length - 1).end};
  const std::vector<std::pair<Span, std::string>> edits{{{previous_end(), token(length).begin}, ", "}};
  if (outer) {
    if (!item_.diagnostics[*outer].fixes.empty()) item_.diagnostics[*outer].fixes.back().edits.push_back({{edits[0].first, 0}, edits[0].second});
  } else {
    mend(report(Code::SyntaxExpected, sign, fmt::format("`,` between two bounds, not `{}`", text(sign))), "Write `,`", edits);
    --errors_;
  }
  pos_ += length;
  error_at_ = no_partner;
  return true;
}

// `<unroll 4>`. At its `<`.
void ItemParser::unroll(ForStmt& into) {
  ++pos_;
  if (word_is("unroll")) {
    ++pos_;
  } else {
    const auto found = expected("`unroll`");
    if (raw() == Tok::Integer && raw(1) == Tok::Greater) insert(found, token().begin, "unroll ");  // `for<4>`
    const bool misspelt = raw() == Tok::Name && (raw(1) == Tok::Greater || (raw(1) == Tok::Integer && raw(2) == Tok::Greater));
    if (misspelt) mend(found, "Write `unroll`", {{token().span(), "unroll"}});
    if (misspelt) ++pos_;
  }
  into.unroll = 0;
  const bool wrapped = (raw() == Tok::LeftParen || raw() == Tok::Assign || raw() == Tok::Colon || raw() == Tok::Comma) && raw(1) == Tok::Integer;
  const std::uint32_t word_end = previous_end();
  if (wrapped) {
    const Lexeme factor = token(1);
    const std::size_t length = raw() == Tok::LeftParen && raw(2) == Tok::RightParen ? 3 : 2;
    mend(report(Code::SyntaxUnexpected, token().span(), fmt::format("{}: the factor stands behind `unroll`, as in `for<unroll 4>`", described(token()))),
         "Write `unroll N`", {{{word_end, token(length - 1).end}, fmt::format(" {}", text(factor.span()))}});
    pos_ += length;
    into.unroll = static_cast<std::int64_t>(std::min<std::uint64_t>(integer_value(factor, false), 1024));
  } else if (raw() == Tok::Integer) {
    const std::uint64_t count = integer_value(token(), false);
    if (count < 1 || count > 1024) report(Code::SyntaxExpected, token().span(), "an unroll factor from 1 to 1024"), into.unroll.reset();
    else into.unroll = static_cast<std::int64_t>(count);
    ++pos_;
    error_at_ = no_partner;
  }
  if (accept(Tok::Greater)) return;
  const std::size_t sign = raw() == Tok::Minus && (raw(1) == Tok::Integer || raw(1) == Tok::Float) ? 1 : 0;
  if ((sign != 0 || raw() == Tok::Float || raw() == Tok::Name) && raw(sign + 1) == Tok::Greater && into.unroll == 0) {  // `<unroll U>`
    const Span factor{token().begin, token(sign).end};
    report(Code::SyntaxExpected, factor, fmt::format("a whole number from 1 to 1024 as the factor, not `{}`", text(factor)));
    pos_ += sign + 2;
    --errors_;
    error_at_ = no_partner;
    return;
  }
  const auto found = expected("`>` behind `unroll`");
  if (raw() == Tok::Name || raw() == Tok::LeftParen) insert(found, previous_end(), "> ");
  while (raw() == Tok::Minus || raw() == Tok::Integer || raw() == Tok::Float || raw() == Tok::Text) ++pos_;
  accept(Tok::Greater);
  error_at_ = raw() == Tok::Name ? no_partner : pos_;
}

}  // namespace phobos::syntax
