// Expressions that choose between two values, as other languages write them: all of them mean `where(c, a, b)`.
#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

// One that nests too deep: nothing of the rest of its line is read.
ExprId ItemParser::skipped_conditional(std::uint32_t begin) {
  while (peek() != Tok::End && raw() != Tok::LeftBrace && raw() != Tok::RightBrace) ++pos_;
  error_at_ = pos_;
  return error_expression({begin, previous_end()});
}

// `c ? a : b`. At the `?`. What stands inside of it is part of the same mistake and of its repair.
ExprId ItemParser::conditional(ExprId test) {
  const Span sign = token().span(), from = item_.exprs[test].span;
  const bool outermost = where_edits_ == nullptr;
  std::vector<std::pair<Span, std::string>> own;
  const auto found = outermost ? foreign(sign, "there is no `? :`: write `where(c, a, b)`") : Found();
  if (outermost) where_edits_ = &own;
  std::vector<std::pair<Span, std::string>>& edits = *where_edits_;
  const auto done = [&](ExprId result) {
    if (outermost) where_edits_ = nullptr;
    return result;
  };
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) return done(skipped_conditional(from.begin));
  const ExprId first = expression();
  const Span colon = token().span();
  if (raw() != Tok::Colon) {
    leave();
    if (!outermost) ++errors_;
    error_at_ = pos_;
    return done(error_expression({from.begin, previous_end()}));
  }
  ++pos_;
  const ExprId second = expression();
  leave();
  const std::uint32_t end = item_.exprs[second].span.end;
  edits.push_back({{from.begin, from.begin}, "where("});
  edits.push_back({{from.end, sign.end}, ","});
  edits.push_back({{item_.exprs[first].span.end, colon.end}, ","});
  edits.push_back({{end, end}, ")"});
  if (outermost && errors_ == errors) mend(found, "Write `where(…)`", edits);
  return done(called("where", {test, first, second}, {from.begin, end}));
}

// `a if c else b`. At the `if`.
ExprId ItemParser::conditional_behind(ExprId first) {
  const Span sign = token().span(), from = item_.exprs[first].span;
  const auto found = foreign(sign, "`if` is a statement and gives no value: `where(c, a, b)` chooses one");
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) return skipped_conditional(from.begin);
  const ExprId test = expression();
  const Span otherwise = token().span();
  if (raw() != Tok::Else) {
    leave();
    error_at_ = pos_;
    return error_expression({from.begin, previous_end()});
  }
  ++pos_;
  const ExprId second = expression();
  leave();
  const std::uint32_t end = item_.exprs[second].span.end;
  if (errors_ == errors)
    mend(found, "Write `where(…)`", {{{from.begin, from.begin}, fmt::format("where({}, ", text(item_.exprs[test].span))}, {{from.end, otherwise.end}, ","}, {{end, end}, ")"}});
  return called("where", {test, first, second}, {from.begin, end});
}

// `if c { a } else { b }` and `if c then a else b` where a value stands. At the `if`.
ExprId ItemParser::conditional_statement() {
  const std::uint32_t begin = token().begin;
  const auto found = foreign(token().span(), "`if` is a statement and gives no value: `where(c, a, b)` chooses one");
  std::vector<std::pair<Span, std::string>> edits;
  std::vector<std::pair<ExprId, ExprId>> branches;
  const std::size_t errors = errors_;
  bool good = true;
  ExprId last;
  const auto value_in = [&](std::string_view opener, std::string_view closer) {  // `{ a }`, or `a` alone
    const bool braces = raw() == Tok::LeftBrace && closed(pos_);
    const std::size_t opens = pos_;
    const std::uint32_t before = previous_end();
    if (!braces && !word_is("then") && opener == ", ") good = false;
    if (braces || word_is("then")) {
      edits.push_back({{opener.empty() ? token().begin : before, token(1).begin}, std::string(opener)});
      ++pos_;
    }
    const ExprId result = good && enter() ? expression() : error_expression(behind());
    if (good) leave();
    if (braces) {
      good = good && pos_ == partner_[opens];
      edits.push_back({{previous_end(), tokens_[partner_[opens]].end}, std::string(closer)});
      skip_to(partner_[opens] + 1);
    }
    return result;
  };
  for (bool more = true; more && good;) {
    edits.push_back({{token().begin, token(1).begin}, "where("});
    ++pos_;
    error_at_ = no_partner;
    const ExprId test = enter() ? expression() : error_expression(behind());
    leave();
    const ExprId value = value_in(", ", "");
    branches.emplace_back(test, value);
    good = good && raw() == Tok::Else;
    if (!good) break;
    edits.push_back({{previous_end(), token().end}, ","});
    ++pos_;
    more = raw() == Tok::If;
    if (!more) last = value_in("", "");
  }
  if (!good) {
    error_at_ = pos_;
    errors_ = errors + 1;
    return error_expression({begin, previous_end()});
  }
  ExprId result = last;
  for (auto each = branches.rbegin(); each != branches.rend(); ++each) result = called("where", {each->first, each->second, result}, {begin, previous_end()});
  edits.push_back({{previous_end(), previous_end()}, std::string(branches.size(), ')')});
  if (errors_ == errors) mend(found, "Write `where(…)`", std::move(edits));
  return result;
}

}  // namespace phobos::syntax
