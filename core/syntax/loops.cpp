// `for` and its range.
#include <algorithm>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

void ItemParser::for_statement(Block& into) {
  const auto head = static_cast<std::uint32_t>(pos_++);
  ForStmt result;
  if (raw() == Tok::Less) unroll(result);
  if (raw() == Tok::LeftParen && c_style_for(into, head, result)) return;
  result.variable = declared_name("the loop's variable");
  if (raw() == Tok::Comma) {
    foreign(token().span(), "a loop has one variable");
    while (raw() == Tok::Comma || raw() == Tok::Name) ++pos_;
    error_at_ = pos_;
  }
  if ((raw() == Tok::Assign || raw() == Tok::Colon) && same_line(0)) {  // `for i = 0; i < n; …`
    foreign(token().span(), "a loop runs over a range: `for i in range(start, end)`");
    to_body();
    loop_over_nothing(into, head, std::move(result));
    return;
  }
  if (!accept(Tok::In)) {
    const bool there = word_is("range") || raw() == Tok::LeftParen;
    const auto found = there ? report(Code::SyntaxExpected, behind(), "`in` behind the loop's variable") : expected("`in` behind the loop's variable");
    if (there) insert(found, previous_end(), " in");
    if (!there) {
      to_body();
      loop_over_nothing(into, head, std::move(result));
      return;
    }
    error_at_ = no_partner;
  }
  loop_over_range(into, head, std::move(result));
}

void ItemParser::loop_over_range(Block& into, std::uint32_t head, ForStmt loop) {
  range(loop);
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

// `for (int i = a; i < b; i++)` and `for (i in range(a, b))`. At the parenthesis.
bool ItemParser::c_style_for(Block& into, std::uint32_t head, ForStmt& loop) {
  const std::size_t opener = pos_;
  std::size_t i = opener + 1;
  while (tokens_[i].kind == Tok::Name && tokens_[i + 1].kind == Tok::Name) ++i;  // the type
  if (tokens_[i].kind == Tok::Let || tokens_[i].kind == Tok::Var) ++i;
  if (tokens_[i].kind != Tok::Name) return false;
  loop.variable = {std::string(text(tokens_[i].span())), tokens_[i].span(), false};
  if (tokens_[i + 1].kind == Tok::In && closed(opener)) {
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
  if (tokens_[i + 1].kind != Tok::Assign && tokens_[i + 1].kind != Tok::Colon && tokens_[i + 1].kind != Tok::Semicolon) return false;
  // The usual form is mended: `i = start; i < end; i++`.
  const auto found = foreign(token().span(), "a loop runs over a range: `for i in range(start, end)`");
  std::size_t first = i, semicolon = i, second = 0;
  while (tokens_[semicolon].kind != Tok::Semicolon && tokens_[semicolon].kind != Tok::End && tokens_[semicolon].kind != Tok::LeftBrace) ++semicolon;
  for (second = semicolon + 1; second < tokens_.size() && tokens_[second].kind != Tok::Semicolon && tokens_[second].kind != Tok::End && tokens_[second].kind != Tok::LeftBrace;) ++second;
  const auto is = [&](std::size_t at, Tok kind) { return at < tokens_.size() && tokens_[at].kind == kind; };
  const std::string_view name = loop.variable.text;
  const bool usual = is(i + 1, Tok::Assign) && is(semicolon, Tok::Semicolon) && is(second, Tok::Semicolon) && is(semicolon + 1, Tok::Name) &&
                     text(tokens_[semicolon + 1].span()) == name && is(semicolon + 2, Tok::Less) && semicolon > i + 2 && second > semicolon + 3;
  const bool by_one = (is(second + 1, Tok::Name) && is(second + 2, Tok::Plus) && is(second + 3, Tok::Plus) && is(second + 4, Tok::RightParen)) ||
                      (is(second + 1, Tok::Plus) && is(second + 2, Tok::Plus) && is(second + 3, Tok::Name) && is(second + 4, Tok::RightParen));
  const bool by_step = is(second + 1, Tok::Name) && is(second + 2, Tok::AddAssign) && (is(second + 3, Tok::Integer) || is(second + 3, Tok::Name)) && is(second + 4, Tok::RightParen);
  if (!usual || !(by_one || by_step)) {
    pos_ = first;
    to_body();
    loop_over_nothing(into, head, std::move(loop));
    return true;
  }
  const Span start{tokens_[i + 2].begin, tokens_[semicolon - 1].end}, end{tokens_[semicolon + 3].begin, tokens_[second - 1].end};
  std::string words = fmt::format("{} in range({}, {}", name, text(start), text(end));
  if (by_step) words += fmt::format(", {}", text(tokens_[second + 3].span()));
  mend(found, "Write a range", {{{tokens_[opener].begin, tokens_[second + 4].end}, words + ")"}});
  pos_ = i + 2;
  loop.begin = expression();
  pos_ = semicolon + 3;
  loop.end = expression();
  if (by_step) {
    pos_ = second + 3;
    loop.step = primary();
  }
  pos_ = second + 5;
  error_at_ = no_partner;
  loop.body = body_of(head, "`{` to begin the loop's body");
  into.push_back(add(tokens_[head].begin, std::move(loop)));
  return true;
}

void ItemParser::range(ForStmt& into) {
  const bool named = word_is("range");
  const bool other = raw() == Tok::Name && raw(1) == Tok::LeftParen && !named;
  if (other) {
    const std::string_view word = text(token().span());
    const auto found = report(Code::SyntaxExpected, token().span(), fmt::format("`range(start, end)` behind `in`, not {}", described(token())));
    if (word.size() > 5 && word.ends_with("range")) mend(found, "Write `range`", {{token().span(), "range"}});
  }
  if (named || other) {
    ++pos_;
    if (raw() == Tok::LeftParen) return bounds(into);
    const bool there = begins_operand(raw()) && same_line(0);
    const auto found = there ? report(Code::SyntaxExpected, behind(), "`(` to begin the range") : expected("`(` to begin the range");
    if (there) insert(found, previous_end(), "(");
    into.begin = into.end = error_expression(behind());
    if (!there) return;
    error_at_ = no_partner;
    const std::size_t errors = errors_;
    into.begin = expression();
    if (accept(Tok::Comma)) into.end = expression();
    if (accept(Tok::Comma)) into.step = expression();
    if (raw() == Tok::RightParen && partner_[pos_] == no_partner) ++pos_;
    errors_ = errors + 1;
    error_at_ = pos_;
    return;
  }
  if (raw() == Tok::LeftParen && closed(pos_)) {
    insert(report(Code::SyntaxExpected, behind(), "`range` before the bounds"), previous_end(), " range");
    error_at_ = no_partner;
    return bounds(into);
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
  if (dots || raw() == Tok::Colon) {
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

// The parenthesis of `range(a, b, s)`.
void ItemParser::bounds(ForStmt& into) {
  const std::size_t opener = pos_++;
  const std::uint32_t inside = previous_end();
  const bool before = open(opener);
  std::vector<ExprId> all;
  if (!list_ends(opener)) {
    do {
      if (all.size() == 3) foreign(behind(), "`range` takes a start, an end and a step");
      all.push_back(expression());
    } while (next_element(opener, "bounds"));
  }
  if (all.size() < 2) {
    const auto found = report(Code::SyntaxExpected, behind(), all.empty() ? "the start and the end of the range" : "`,` and the end of the range");
    const bool whole = all.size() == 1 && raw() == Tok::RightParen && !std::holds_alternative<ErrorExpr>(item_.exprs[all[0]].node);
    if (whole) mend(found, "Start at 0", {{{inside, inside}, "0, "}});
  }
  into.end = all.size() > 1 ? all[1] : all.size() == 1 ? all[0] : error_expression(behind());
  into.begin = all.size() > 1 ? all[0] : all.size() == 1 ? add({IntLiteral{0}, {inside, inside}}) : error_expression(behind());
  if (all.size() > 2) into.step = all[2];
  close(opener, Tok::RightParen, "bounds", before);
}

// `<unroll 4>`. At its `<`.
void ItemParser::unroll(ForStmt& into) {
  ++pos_;
  if (word_is("unroll")) {
    ++pos_;
  } else {
    const auto found = expected("`unroll`");
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
  const auto found = expected("`>` behind `unroll`");
  if (raw() == Tok::Name || raw() == Tok::LeftParen) insert(found, previous_end(), "> ");
  while (raw() == Tok::Minus || raw() == Tok::Integer || raw() == Tok::Float || raw() == Tok::Text) ++pos_;
  accept(Tok::Greater);
  error_at_ = raw() == Tok::Name ? no_partner : pos_;
}

}  // namespace phobos::syntax
