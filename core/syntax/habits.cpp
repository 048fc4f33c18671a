// What people write in expressions who come from C, CUDA, Python, Rust or Go: said in those terms, and read as what is meant, so that
// the rest of the line is analysed as if it were written so.
#include <algorithm>
#include <array>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

ExprId ItemParser::called(std::string_view name, std::vector<ExprId> arguments, Span at) {
  const ExprId callee = add({NameExpr{std::string(name)}, {at.begin, at.begin}});
  CallExpr call{callee, {}, std::move(arguments)};
  call.broken = true;  // what else is wrong with it is part of the mistake
  return add({std::move(call), at});
}

// `++` or `--` with nothing behind that it could be an operator for.
bool ItemParser::step_follows() const {
  const Tok kind = raw();
  if ((kind != Tok::Plus && kind != Tok::Minus) || raw(1) != kind || !adjacent(0) || token().newline) return false;
  return !begins_operand(raw(2)) || token(2).newline;
}

bool ItemParser::step_ahead() const {
  if ((raw() != Tok::Plus && raw() != Tok::Minus) || raw(1) != raw() || !adjacent(0) || raw(2) != Tok::Name || !same_line(2)) return false;
  std::size_t last = pos_ + 2;
  if (tokens_[last + 1].kind == Tok::LeftBracket && !tokens_[last + 1].newline) {
    if (!closed(last + 1)) return false;
    last = partner_[last + 1];
  }
  const Lexeme& next = tokens_[last + 1];
  return next.newline || closes(next.kind) || next.kind == Tok::Semicolon || next.kind == Tok::End;
}

// `a and b`, `a or b`, `x as f32`, `c ? a : b`, `a ** b`, `a @ b`, `a === b`, `a <> b`, `a =< b`.
std::optional<ExprId> ItemParser::foreign_infix(ExprId left, int lowest) {
  const Tok kind = peek();
  const Span sign = token().span(), from = item_.exprs[left].span;
  const auto whole = [&](ExprId right) { return cover(from, item_.exprs[right].span); };
  if (kind == Tok::Name) {
    const std::string_view word = text(sign);
    const bool both = word == "and", either = word == "or", equal = word == "is";
    if ((both || either || equal) && (begins_operand(raw(1)) || word_is("not", 1))) {
      const int level = both ? 1 : either ? 0 : 2;
      if (level < lowest) return {};
      const bool differs = equal && word_is("not", 1) && begins_operand(raw(2)) && same_line(2);  // `a is not b`
      const std::string_view meant = both ? "&&" : either ? "||" : differs ? "!=" : "==";
      const Span all{sign.begin, token(differs ? 1 : 0).end};
      mend(foreign(all, fmt::format("`{}` is written `{}`", text(all), meant)), fmt::format("Write `{}`", meant), {{all, std::string(meant)}});
      pos_ += differs ? 2 : 1;
      error_at_ = no_partner;
      const ExprId right = binary(level + 1);
      return add({BinaryExpr{both ? BinaryOp::And : either ? BinaryOp::Or : differs ? BinaryOp::Ne : BinaryOp::Eq, all, left, right}, whole(right)});
    }
    if (word == "as" && raw(1) == Tok::Name) {
      const Lexeme type = token(1);
      const std::string scalar(scalar_meant(text(type.span())).empty() ? text(type.span()) : scalar_meant(text(type.span())));
      const Span bare = strip_parentheses(left);
      mend(foreign(sign, fmt::format("a conversion is written `{}(x)`", scalar)), fmt::format("Write `{}(…)`", scalar),
           {{{from.begin, bare.begin}, scalar + "("}, {{bare.end, type.end}, ")"}});
      pos_ += 2;
      error_at_ = no_partner;
      return called(scalar, {left}, {from.begin, type.end});
    }
    return {};
  }
  if (kind == Tok::Question && raw(1) == Tok::Question && adjacent(0) && same_line(1) && begins_operand(raw(2))) {  // `a ?? b`
    const Span both{sign.begin, token(1).end};
    const auto found = foreign(both, "there is no `??`: a value is always there");
    pos_ += 2;
    error_at_ = no_partner;
    const ExprId right = binary(lowest);
    mend(found, "Remove it", {{{from.end, item_.exprs[right].span.end}, ""}});
    return left;
  }
  if (kind == Tok::Question && lowest == 0) return conditional(left);
  if (kind == Tok::If && lowest == 0 && pos_ > statement_at_ && on_this_line(Tok::Else) && !on_this_line(Tok::LeftBrace)) return conditional_behind(left);
  if (kind == Tok::At && lowest <= 9) {
    const auto found = report(Code::SyntaxUnexpected, sign, "`@`: the matrix product of two tiles is `dot(a, b)`");
    ++pos_;
    error_at_ = no_partner;
    const ExprId right = binary(10);
    const Span gap{from.end, item_.exprs[right].span.begin};
    if (gap.begin <= gap.end && !std::holds_alternative<ErrorExpr>(item_.exprs[right].node))
      mend(found, "Write `dot(…)`", {{{from.begin, from.begin}, "dot("}, {gap, ", "}, {{item_.exprs[right].span.end, item_.exprs[right].span.end}, ")"}});
    return add({ErrorExpr{}, whole(right)});
  }
  const auto pair = [&](Tok a, Tok b) { return kind == a && raw(1) == b && adjacent(0); };
  if (pair(Tok::Star, Tok::Star) && begins_operand(raw(2))) return power(left, lowest);
  if (kind == Tok::Slash && raw(1) == Tok::Slash && same_line(1) && begins_operand(raw(2)) && lowest <= 9) {  // `a / / b`
    const Span both{sign.begin, token(1).end};
    mend(foreign(both, "`/ /` is written `/`"), "Write `/`", {{both, "/"}});
    pos_ += 2;
    error_at_ = no_partner;
    const ExprId right = binary(10);
    return add({BinaryExpr{BinaryOp::Div, both, left, right}, whole(right)});
  }
  if (lowest == 0 && from.begin == tokens_[statement_at_].begin && assigns_elsewhere()) return {};
  if (const auto other = foreign_comparison(); other && lowest <= 2) {
    const Span both{sign.begin, token(other->first - 1).end};
    const auto op = static_cast<BinaryOp>(static_cast<int>(other->second) - static_cast<int>(Tok::OrOr));
    const int level = op == BinaryOp::And ? 1 : op == BinaryOp::Or ? 0 : 2;
    if (level < lowest) return {};
    if (text(both) == "=>" && std::holds_alternative<ParenExpr>(item_.exprs[left].node)) {  // `(a) => a + 1`
      foreign(both, "a function has a name and is no value: it is defined with `fn` outside of the kernel");
      pos_ += 2;
      if (raw() == Tok::LeftBrace) skip_group();
      else binary(0);
      error_at_ = pos_;
      return error_expression({from.begin, previous_end()});
    }
    mend(foreign(both, fmt::format("`{}` is written `{}`", text(both), spelling(op))), fmt::format("Write `{}`", spelling(op)), {{both, std::string(spelling(op))}});
    pos_ += other->first;
    error_at_ = no_partner;
    const ExprId right = binary(level < 2 ? level + 1 : 4);
    return add({BinaryExpr{op, both, left, right}, whole(right)});
  }
  const bool path = pair(Tok::Colon, Tok::Colon) || kind == Tok::Arrow;
  if (pair(Tok::Colon, Tok::Colon) && std::holds_alternative<NameExpr>(item_.exprs[left].node) && raw(2) == Tok::Name && same_line(2)) {  // `std::sqrt(x)`
    const Lexeme name = token(2);
    mend(foreign({from.begin, token(1).end}, fmt::format("an operation has no prefix: `{}`", text(name.span()))), fmt::format("Write `{}`", text(name.span())), {{{from.begin, name.begin}, ""}});
    pos_ += 3;
    error_at_ = no_partner;
    return postfix_of(add({NameExpr{std::string(text(name.span()))}, name.span()}));
  }
  if (path && std::holds_alternative<CtxExpr>(item_.exprs[left].node)) {  // `ctx::lane`, `ctx->lane`
    const std::size_t length = kind == Tok::Arrow ? 1 : 2;
    const Span both{sign.begin, token(length - 1).end};
    mend(foreign(both, fmt::format("`{}` is written `.`", text(both))), "Write `.`", {{both, "."}});
    pos_ += length;
    error_at_ = no_partner;
    Name field = declared_name("a field's name");
    return postfix_of(add({FieldExpr{left, std::move(field)}, {from.begin, previous_end()}}));
  }
  return {};
}

// `A[0] => 1.0`, `x === 1` as a statement, behind the target.
bool ItemParser::assigns_elsewhere() const {
  if (!newline_ends_ || begins_statement(tokens_[statement_at_].kind) || !adjacent(0) || token().newline || on_this_line(Tok::LeftBrace)) return false;
  const Tok before = tokens_[pos_ - 1].kind;
  if (before != Tok::Name && before != Tok::RightBracket) return false;
  return (raw() == Tok::Assign && raw(1) == Tok::Greater) || (raw() == Tok::EqEq && raw(1) == Tok::Assign);
}

// Signs in a row that are a comparison elsewhere, or one of ours with a blank in it: how many, and what is meant. `x =! y` assigns.
std::optional<std::pair<std::size_t, Tok>> ItemParser::foreign_comparison() const {
  struct Pair {
    Tok first, second, meant;
    bool apart;  // a blank may stand between them
  };
  constexpr std::array pairs = {Pair{Tok::EqEq, Tok::Assign, Tok::EqEq, false},  Pair{Tok::NotEq, Tok::Assign, Tok::NotEq, false},
                                Pair{Tok::Less, Tok::Greater, Tok::NotEq, false}, Pair{Tok::Assign, Tok::Less, Tok::LessEq, false},
                                Pair{Tok::Assign, Tok::Greater, Tok::GreaterEq, false}, Pair{Tok::Tilde, Tok::Assign, Tok::NotEq, false},
                                Pair{Tok::Assign, Tok::Not, Tok::NotEq, false},  Pair{Tok::Not, Tok::Assign, Tok::NotEq, true},
                                Pair{Tok::Assign, Tok::Assign, Tok::EqEq, true}, Pair{Tok::Less, Tok::Assign, Tok::LessEq, true},
                                Pair{Tok::Greater, Tok::Assign, Tok::GreaterEq, true}, Pair{Tok::And, Tok::And, Tok::AndAnd, true},
                                Pair{Tok::Or, Tok::Or, Tok::OrOr, true}};
  if (newline_ends_ && token().newline) return {};
  for (const Pair& each : pairs) {
    if (raw() != each.first || raw(1) != each.second || token(1).newline || (!each.apart && !adjacent(0)) || !begins_operand(raw(2))) continue;
    const bool may_assign = newline_ends_ && !begins_statement(tokens_[statement_at_].kind);
    if (each.second == Tok::Not && may_assign) continue;
    return std::pair(std::size_t{2}, each.meant);
  }
  return {};
}

// `a ** b ** c`, which elsewhere binds from the right. At the first sign.
ExprId ItemParser::power(ExprId first, int lowest) {
  const auto* minus = std::get_if<UnaryExpr>(&item_.exprs[first].node);
  if (minus && minus->op == UnaryOp::Negate) {  // `-a ** 2` is `-(a ** 2)`
    const std::uint32_t begin = item_.exprs[first].span.begin;
    const ExprId raised = power(minus->operand, lowest);
    return add({UnaryExpr{UnaryOp::Negate, raised}, {begin, previous_end()}});
  }
  const auto found = foreign({token().begin, token(1).end}, "a power is written `pow(a, b)`");
  const std::size_t errors = errors_;
  std::vector<ExprId> operands{first};
  bool mendable = true;
  while (peek() == Tok::Star && raw(1) == Tok::Star && adjacent(0) && begins_operand(raw(2))) {
    mendable = mendable && simple(operands.back());
    pos_ += 2;
    error_at_ = no_partner;
    operands.push_back(unary());
  }
  const Span whole{item_.exprs[first].span.begin, item_.exprs[operands.back()].span.end};
  if (operands.size() == 2 && is_square(first, operands[1])) {
    const std::string_view base = text(item_.exprs[first].span);
    const bool parens = lowest > tightest_level;
    const std::string better = fmt::format("{0}{2} * {2}{1}", parens ? "(" : "", parens ? ")" : "", base);
    mend(found, fmt::format("Write `{}`", better), {{whole, better}});
    return add({BinaryExpr{BinaryOp::Mul, {item_.exprs[first].span.end, item_.exprs[operands[1]].span.begin}, first, first}, whole});
  }
  std::vector<std::pair<Span, std::string>> edits;
  ExprId result = operands.back();
  for (std::size_t i = operands.size() - 1; i-- > 0;) {
    const Span at = item_.exprs[operands[i]].span;
    edits.insert(edits.begin(), {{{at.begin, at.begin}, "pow("}, {{at.end, item_.exprs[operands[i + 1]].span.begin}, ", "}});
    result = called("pow", {operands[i], result}, {at.begin, whole.end});
  }
  edits.push_back({{whole.end, whole.end}, std::string(operands.size() - 1, ')')});
  if (mendable && errors_ == errors) mend(found, "Write `pow(…)`", std::move(edits));
  return result;
}

// `a ** 2`, of what can be written twice.
bool ItemParser::is_square(ExprId base, ExprId exponent) const {
  const auto* number = std::get_if<IntLiteral>(&item_.exprs[exponent].node);
  const auto& node = item_.exprs[base].node;
  const bool place = std::holds_alternative<NameExpr>(node) || std::holds_alternative<SubscriptExpr>(node) || std::holds_alternative<FieldExpr>(node);
  return number && number->value == 2 && place && text(item_.exprs[base].span).find('\n') == std::string_view::npos;
}

bool ItemParser::simple(ExprId expr) const {
  const auto& node = item_.exprs[expr].node;
  return !std::holds_alternative<BinaryExpr>(node) && !std::holds_alternative<UnaryExpr>(node) && !std::holds_alternative<ErrorExpr>(node);
}

// The text of an expression without the parentheses around it.
Span ItemParser::strip_parentheses(ExprId expr) const {
  const auto* paren = std::get_if<ParenExpr>(&item_.exprs[expr].node);
  return paren ? item_.exprs[paren->inner].span : item_.exprs[expr].span;
}

// `|a, b| a + b`, `lambda a: a + 1`, `[&](float a) { … }`. None of it can be read: its names are its own.
std::optional<ExprId> ItemParser::closure() {
  const std::uint32_t begin = token().begin;
  std::size_t at = pos_;
  if (raw() == Tok::LeftBracket) {
    if (!closed(pos_) || tokens_[partner_[pos_] + 1].kind != Tok::LeftParen || !closed(partner_[pos_] + 1)) return {};
    at = partner_[partner_[pos_] + 1] + 1;
    if (tokens_[at].kind != Tok::LeftBrace && tokens_[at].kind != Tok::Arrow) return {};
  } else if (raw() == Tok::Or) {
    for (++at; tokens_[at].kind != Tok::Or; ++at)
      if (tokens_[at].kind == Tok::End || tokens_[at].newline || at > pos_ + 64) return {};
    ++at;
  } else if (raw() == Tok::OrOr) {
    ++at;
  } else {
    for (++at; tokens_[at].kind == Tok::Name || tokens_[at].kind == Tok::Comma; ++at) {}
    if (tokens_[at++].kind != Tok::Colon) return {};
  }
  foreign(token().span(), "a function has a name and is no value: it is defined with `fn` outside of the kernel");
  pos_ = at;
  if (raw() == Tok::Arrow) {
    ++pos_;
    if (raw() == Tok::Name) ++pos_;
  }
  if (raw() == Tok::LeftBrace) {
    skip_group();
  } else if (enter()) {
    error_at_ = no_partner;
    expression();
    leave();
  }
  error_at_ = pos_;
  return error_expression({begin, previous_end()});
}

// `[x * 2 for x in range(0, 4)]`. At the bracket.
std::optional<ExprId> ItemParser::comprehension() {
  const std::uint32_t begin = token().begin;
  std::size_t end = pos_ + 1, depth = 1;
  bool loops = false;
  for (; depth > 0; ++end) {
    const Lexeme& each = tokens_[end];
    if (each.kind == Tok::End || each.newline || each.kind == Tok::LeftBrace || each.kind == Tok::RightBrace) return {};
    loops = loops || each.kind == Tok::For;
    if (each.kind == Tok::LeftBracket) ++depth;
    if (each.kind == Tok::RightBracket) --depth;
  }
  if (!loops) return {};
  foreign({begin, tokens_[end - 1].end}, "there are no lists: a tile is declared with `var t: tile<f32>[M, N]`");
  pos_ = end;
  error_at_ = pos_;
  return error_expression({begin, previous_end()});
}

// `float("-inf")`. At the name.
std::optional<ExprId> ItemParser::number_in_text() {
  if (raw(1) != Tok::LeftParen || raw(2) != Tok::Text || raw(3) != Tok::RightParen || !closed(pos_ + 1) || scalar_meant(text(token().span())).empty()) return {};
  const Span whole{token().begin, token(3).end};
  std::string_view words = text(token(2).span());
  words = words.size() > 2 ? words.substr(1, words.size() - 2) : std::string_view();
  const bool negative = words.starts_with("-");
  if (negative || words.starts_with("+")) words.remove_prefix(1);
  const bool infinite = words == "inf" || words == "infinity" || words == "Inf" || words == "Infinity";
  const auto found = foreign(whole, infinite ? std::string("infinity has no literal; the largest `f32` is `3.4028235e38`") : std::string("there are no strings"));
  if (infinite) mend(found, "Write the largest `f32`", {{whole, negative ? "-3.4028235e38" : "3.4028235e38"}});
  pos_ += 4;
  error_at_ = no_partner;
  --errors_;
  return infinite ? add({FloatLiteral{negative ? -3.4028235e38 : 3.4028235e38}, whole}) : error_expression(whole);
}

// `not x`, `+x`, `*p`, `&x`.
std::optional<ExprId> ItemParser::foreign_prefix() {
  const Span sign = token().span();
  if (word_is("lambda") && same_line(1) && (raw(1) == Tok::Name || raw(1) == Tok::Colon))
    if (auto function = closure()) return function;
  if (word_is("not") && same_line(1) && begins_operand(raw(1)) && raw(1) != Tok::LeftParen && raw(1) != Tok::Minus) {
    const auto found = foreign(sign, "`not` is written `!`");
    const std::uint32_t from = token(1).begin;
    ++pos_;
    error_at_ = no_partner;
    if (!enter()) return error_expression(sign);
    const ExprId operand = binary(2);  // less tightly than a comparison, as in Python
    leave();
    const std::uint32_t end = item_.exprs[operand].span.end;
    if (std::holds_alternative<BinaryExpr>(item_.exprs[operand].node)) mend(found, "Write `!(…)`", {{{sign.begin, from}, "!("}, {{end, end}, ")"}});
    else mend(found, "Write `!`", {{{sign.begin, from}, "!"}});
    return add({UnaryExpr{UnaryOp::Not, operand}, {sign.begin, end}});
  }
  const Tok kind = raw();
  if (kind != Tok::Plus && kind != Tok::Star && kind != Tok::And) return {};
  if (!begins_operand(raw(1)) || token(1).newline || (kind == Tok::Star && (raw(1) == Tok::Integer || raw(1) == Tok::Float))) return {};
  const bool after_sign = pos_ > 0 && tokens_[pos_ - 1].end == sign.begin && tokens_[pos_ - 1].kind == Tok::Assign;
  if (after_sign && adjacent(0) == false) {  // `x =+ 1`
    const Span both{sign.begin - 1, sign.end};
    const std::string better = fmt::format("{}=", text(sign));
    mend(foreign(both, fmt::format("`{}` is written `{}`", text(both), better)), fmt::format("Write `{}`", better), {{both, better}});
  } else if (kind == Tok::Plus) {
    mend(foreign(sign, "there is no unary `+`"), "Remove `+`", {{sign, ""}});
  } else if (kind == Tok::And) {
    mend(foreign(sign, "there are no references: a tensor is passed by its name"), "Remove `&`", {{sign, ""}});
  } else {
    return dereference();
  }
  ++pos_;
  error_at_ = no_partner;
  return unary();
}

// `*p`, `*(p + i)`. At the `*`.
ExprId ItemParser::dereference() {
  const Span sign = token().span();
  const auto found = foreign(sign, "there are no pointers: an element is `A[i]`");
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  const ExprId operand = unary();
  const Expr& whole = item_.exprs[operand];
  const auto* paren = std::get_if<ParenExpr>(&whole.node);
  const auto* sum = paren ? std::get_if<BinaryExpr>(&item_.exprs[paren->inner].node) : nullptr;
  const std::uint32_t end = whole.span.end;
  const auto points = [&](ExprId id) {
    const auto* name = std::get_if<NameExpr>(&item_.exprs[id].node);
    return name && std::any_of(item_.parameters.begin(), item_.parameters.end(), [&](const Parameter& each) { return each.name.text == name->name && each.type.form == TypeSyntax::Form::Tensor; });
  };
  if (errors_ == errors && points(operand)) {
    mend(found, "Write `[0]`", {{sign, ""}, {{end, end}, "[0]"}});
  } else if (errors_ == errors && sum && sum->op == BinaryOp::Add && points(sum->left)) {
    const Span base = item_.exprs[sum->left].span, index = item_.exprs[sum->right].span;
    mend(found, "Write `[…]`", {{{sign.begin, base.begin}, ""}, {{base.end, index.begin}, "["}, {{index.end, end}, "]"}});
  }
  return error_expression({sign.begin, end});
}

// A string, which nothing takes.
bool ItemParser::text_junk() {
  if (raw() != Tok::Text) return false;
  const std::uint32_t begin = token().begin, end = token().end;
  foreign({begin, std::min(end, static_cast<std::uint32_t>(std::min(text_.find('\n', begin), text_.size())))}, "there are no strings");
  ++pos_;
  ++errors_;
  error_at_ = pos_;
  return true;
}

// A token that no rule takes, where there is something better to say than that.
bool ItemParser::foreign_junk() {
  const Lexeme here = token();
  const std::string_view word = text(here.span());
  const Lexeme before = pos_ > 0 ? tokens_[pos_ - 1] : Lexeme{};
  if (here.kind == Tok::Comma && before.kind == Tok::Integer && before.end == here.begin) {  // `1,000`
    std::size_t last = 0;
    const auto is_group = [&](std::size_t at) { return raw(at) == Tok::Comma && raw(at + 1) == Tok::Integer && adjacent(at) && token(at + 1).end - token(at + 1).begin == 3; };
    for (; is_group(last); last += 2) {
      if (!adjacent(last + 1)) {
        last += 2;
        break;
      }
    }
    if (last > 0) {
      const Span whole{before.begin, token(last - 1).end};
      std::string digits(text(whole));
      std::replace(digits.begin(), digits.end(), ',', '_');
      mend(foreign(whole, fmt::format("the digits of a number are grouped by `_`: `{}`", digits)), fmt::format("Write `{}`", digits), {{whole, digits}});
      return true;
    }
  }
  if (here.kind == Tok::Colon && before.kind == Tok::Name && statement_at_ + 1 == pos_ && tokens_[pos_ + 1].newline)
    return foreign({before.begin, here.end}, "there are no labels"), ++pos_, true;
  if (here.kind == Tok::If) return foreign(here.span(), "`if` is a statement and gives no value: `where(c, a, b)` chooses one"), true;
  if (here.kind == Tok::Dot && raw(1) == Tok::Dot) return foreign({here.begin, token(1).end}, "`..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`"), true;
  if (here.kind == Tok::Name && (word == "lambda" || word == "new" || word == "sizeof")) return foreign(here.span(), fmt::format("there is no `{}`", word)), true;
  if ((here.kind == Tok::Plus || here.kind == Tok::Minus) && step_follows()) return foreign({here.begin, token(1).end}, fmt::format("`{}` is no operator: write `{}= 1` as a statement of its own", text({here.begin, token(1).end}), word)), true;
  if (here.kind == Tok::Not && raw(1) == Tok::LeftBracket && before.kind == Tok::Name && before.end == here.begin) {  // `vec![0.0; 16]`
    foreign({before.begin, here.end}, "there are no lists: a tile is declared with `var t: tile<f32>[M, N]`");
    while (!token().newline && raw() != Tok::End && raw() != Tok::RightBrace) ++pos_;
    error_at_ = pos_;
    return true;
  }
  if (here.kind == Tok::LeftBrace && assigns(before.kind)) return foreign(here.span(), "there are no lists: a tile is declared with `var t: tile<f32>[M, N]`"), skip_group(), true;
  // `(f32) x`
  if (begins_operand(here.kind) && before.kind == Tok::RightParen && partner_[pos_ - 1] != no_partner && partner_[pos_ - 1] + 2 == pos_ - 1) {
    const Lexeme type = tokens_[pos_ - 2];
    const std::string scalar(type.kind == Tok::Name ? scalar_meant(text(type.span())) : "");
    if (!scalar.empty()) {
      const auto found = foreign(type.span(), fmt::format("a conversion is written `{}(x)`", scalar));
      const std::uint32_t from = tokens_[partner_[pos_ - 1]].begin;
      error_at_ = no_partner;
      const std::size_t errors = errors_;
      const Span operand = item_.exprs[unary()].span;
      if (errors_ == errors) mend(found, fmt::format("Write `{}(…)`", scalar), {{{from, operand.begin}, scalar + "("}, {{operand.end, operand.end}, ")"}});
      error_at_ = pos_;
      return true;
    }
  }
  return false;
}

}  // namespace phobos::syntax
