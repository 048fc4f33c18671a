// What people write who come from C, CUDA, Python, Rust or Go: said in those terms, and read as what is meant, so that the rest
// of the line is analysed as if it were written so.
#include <algorithm>
#include <array>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

namespace {

constexpr std::array qualifiers = {"const", "static", "constexpr", "auto", "mut", "volatile", "extern", "__shared__", "__constant__", "__device__", "register", "val", "def", "unsigned", "signed"};

bool is_qualifier(std::string_view word) { return std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end(); }

}  // namespace

ExprId ItemParser::called(std::string_view name, std::vector<ExprId> arguments, Span at) {
  const ExprId callee = add({NameExpr{std::string(name)}, {at.begin, at.begin}});
  return add({CallExpr{callee, {}, std::move(arguments)}, at});
}

// `++` or `--` with nothing behind that it could be an operator for.
bool ItemParser::step_follows() const {
  const Tok kind = raw();
  if ((kind != Tok::Plus && kind != Tok::Minus) || raw(1) != kind || !adjacent(0) || token().newline) return false;
  return !begins_operand(raw(2)) || token(2).newline;
}

// --- statements ----------------------------------------------------------------------------------------------------------

bool ItemParser::foreign_statement(Block& into) {
  const std::uint32_t begin = token().begin;
  if ((raw() == Tok::Plus || raw() == Tok::Minus) && raw(1) == raw() && adjacent(0) && raw(2) == Tok::Name && (token(3).newline || closes(raw(3)) || raw(3) == Tok::Semicolon)) {
    const bool up = raw() == Tok::Plus;
    const Span sign{begin, token(1).end}, name = token(2).span();
    const std::string better = fmt::format("{} {}= 1", text(name), up ? "+" : "-");
    mend(foreign(sign, fmt::format("there is no `{}`: write `{}`", text(sign), better)), fmt::format("Write `{}`", better), {{{begin, name.end}, better}});
    pos_ += 2;
    const ExprId target = primary();
    const ExprId one = add({IntLiteral{1}, sign});
    into.push_back(add(begin, AssignStmt{target, up ? BinaryOp::Add : BinaryOp::Sub, one}));
    return true;
  }
  if (raw() != Tok::Name || !same_line(1)) return false;
  const std::string_view word = text(token().span());
  if (raw(1) == Tok::LeftBrace && !token(1).newline) {
    const bool loops = word == "loop" || word == "do";
    foreign(token().span(), loops ? fmt::format("there is no `{}`: a loop without a range is `while true`", word) : fmt::format("`{}` begins no block", word));
    ++pos_;
    if (!loops) return bare_block(into), true;
    const ExprId always = add({BoolLiteral{true}, {begin, previous_end()}});
    Block inner = block();
    into.push_back(add(begin, WhileStmt{always, std::move(inner)}));
    return true;
  }
  if ((word == "switch" || word == "match" || word == "unless" || word == "until" || word == "repeat") && on_this_line(Tok::LeftBrace)) {
    foreign(token().span(), fmt::format("there is no `{}`: write `{}`", word, word == "until" || word == "repeat" ? "while" : "if"));
    to_body();
    if (raw() == Tok::LeftBrace) word == "switch" || word == "match" ? skip_group() : bare_block(into);
    return true;
  }
  if (raw(1) == Tok::Name || raw(1) == Tok::Let || raw(1) == Tok::Var) return foreign_declaration(into);
  return false;
}

// `int x = 1`, `const x = 1`, `__shared__ float s[256]`, `lett x = 1`: names in a row, then a declaration's rest.
bool ItemParser::foreign_declaration(Block& into) {
  std::size_t last = 0;
  while (raw(last + 1) == Tok::Name && same_line(last + 1)) ++last;
  if (last == 0) return false;
  const Tok behind = same_line(last + 1) ? raw(last + 1) : Tok::End;
  const std::string_view first = text(token().span());
  const bool type_first = !scalar_meant(first).empty() || is_qualifier(first);
  const bool declares = behind == Tok::Assign || (behind == Tok::Colon && (raw(last + 2) == Tok::Name || raw(last + 2) == Tok::Assign));
  const bool array = behind == Tok::LeftBracket && type_first && closed(pos_ + last + 1);
  const bool ends = behind == Tok::End || behind == Tok::Semicolon || behind == Tok::RightBrace;
  if (!(declares && (type_first || last == 1)) && !array && !(ends && type_first && last <= 2)) return false;
  if (unopened_ahead()) return false;  // `A i] = 1`
  const std::uint32_t begin = token().begin;
  const Lexeme name = token(last);
  std::string_view scalar;
  bool constant = false;
  for (std::size_t i = 0; i < last; ++i) {
    const std::string_view each = text(token(i).span());
    if (!scalar_meant(each).empty()) scalar = scalar_meant(each);
    constant = constant || each == "const" || each == "constexpr" || each == "val";
  }
  const std::string keyword = constant ? "let" : "var";
  const auto found = foreign({begin, token(last - 1).end}, "a name is declared with `let` or `var`");
  if (array) {
    const Lexeme opener = token(last + 1);
    const std::size_t closer = partner_[pos_ + last + 1];
    const bool one = closer == pos_ + last + 3 && tokens_[closer + 1].kind != Tok::Assign && tokens_[closer + 1].kind != Tok::LeftBracket;
    if (one && !scalar.empty()) mend(found, "Declare a tile", {{{begin, opener.begin}, fmt::format("var {}: tile<{}>", text(name.span()), scalar)}});
    pos_ += last + 1;
    TypeSyntax type{TypeSyntax::Form::Tile, {std::string(scalar.empty() ? "f32" : scalar), name.span(), false}, {}, opener.span()};
    if (one) dimensions(type);
    else type.form = TypeSyntax::Form::Error;
    while (raw() == Tok::LeftBracket) skip_group();
    ++errors_;
    into.push_back(add(begin, LetStmt{true, {std::string(text(name.span())), name.span(), false}, std::move(type), {}}));
    return true;
  }
  const std::string typed = !scalar.empty() && behind == Tok::Assign ? fmt::format(": {}", scalar) : "";
  if (declares) mend(found, fmt::format("Write `{} {}`", keyword, text(name.span())), {{{begin, name.end}, fmt::format("{} {}{}", keyword, text(name.span()), typed)}});
  pos_ += last + 1;
  const Name declared_as{std::string(text(name.span())), name.span(), false};
  if (ends) {
    error_at_ = pos_;
    into.push_back(add(begin, LetStmt{true, declared_as, {}, error_expression(name.span())}));
  } else {
    declared(into, begin, !constant, declared_as);
    if (!typed.empty())
      if (auto* let = std::get_if<LetStmt>(&item_.stmts[into.back()].node); let && !let->type)
        let->type = TypeSyntax{TypeSyntax::Form::Scalar, {std::string(scalar), name.span(), false}, {}, name.span()};
  }
  ++errors_;
  return true;
}

// --- expressions ---------------------------------------------------------------------------------------------------------

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
      const std::string_view meant = both ? "&&" : either ? "||" : "==";
      mend(foreign(sign, fmt::format("`{}` is written `{}`", word, meant)), fmt::format("Write `{}`", meant), {{sign, std::string(meant)}});
      ++pos_;
      error_at_ = no_partner;
      const ExprId right = binary(level + 1);
      return add({BinaryExpr{both ? BinaryOp::And : either ? BinaryOp::Or : BinaryOp::Eq, sign, left, right}, whole(right)});
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
  if (kind == Tok::Question && lowest == 0) return conditional(left);
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
  const bool star = pair(Tok::Star, Tok::Star);
  if (star && begins_operand(raw(2)) && lowest <= 9) {
    const Span both{sign.begin, token(1).end};
    const auto found = foreign(both, "a power is written `pow(a, b)`");
    pos_ += 2;
    error_at_ = no_partner;
    const ExprId right = unary();
    const Span end = item_.exprs[right].span;
    if (simple(left)) mend(found, "Write `pow(…)`", {{{from.begin, from.begin}, "pow("}, {{from.end, end.begin}, ", "}, {{end.end, end.end}, ")"}});
    return called("pow", {left, right}, {from.begin, end.end});
  }
  struct Pair {
    Tok first, second, meant;
    std::string_view text;
  };
  constexpr std::array pairs = {Pair{Tok::EqEq, Tok::Assign, Tok::EqEq, "=="}, Pair{Tok::NotEq, Tok::Assign, Tok::NotEq, "!="},
                                Pair{Tok::Less, Tok::Greater, Tok::NotEq, "!="}, Pair{Tok::Assign, Tok::Less, Tok::LessEq, "<="},
                                Pair{Tok::Assign, Tok::Greater, Tok::GreaterEq, ">="}};
  for (const Pair& each : pairs) {
    if (!pair(each.first, each.second) || !begins_operand(raw(2)) || lowest > 2) continue;
    const Span both{sign.begin, token(1).end};
    mend(foreign(both, fmt::format("`{}` is written `{}`", text(both), each.text)), fmt::format("Write `{}`", each.text), {{both, std::string(each.text)}});
    pos_ += 2;
    error_at_ = no_partner;
    const ExprId right = binary(4);
    const auto op = static_cast<BinaryOp>(static_cast<int>(each.meant) - static_cast<int>(Tok::OrOr));
    return add({BinaryExpr{op, both, left, right}, whole(right)});
  }
  const bool path = pair(Tok::Colon, Tok::Colon) || kind == Tok::Arrow;
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

bool ItemParser::simple(ExprId expr) const {
  const auto& node = item_.exprs[expr].node;
  return !std::holds_alternative<BinaryExpr>(node) && !std::holds_alternative<UnaryExpr>(node) && !std::holds_alternative<ErrorExpr>(node);
}

// The text of an expression without the parentheses around it.
Span ItemParser::strip_parentheses(ExprId expr) const {
  const auto* paren = std::get_if<ParenExpr>(&item_.exprs[expr].node);
  return paren ? item_.exprs[paren->inner].span : item_.exprs[expr].span;
}

// `c ? a : b`. At the `?`.
ExprId ItemParser::conditional(ExprId test) {
  const Span sign = token().span(), from = item_.exprs[test].span;
  const auto found = foreign(sign, "there is no `? :`: write `where(c, a, b)`");
  ++pos_;
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  if (!enter()) {
    while (peek() != Tok::End && raw() != Tok::LeftBrace && raw() != Tok::RightBrace) ++pos_;
    error_at_ = pos_;
    return error_expression({from.begin, previous_end()});
  }
  const ExprId first = expression();
  leave();
  const Span colon = token().span();
  if (!accept(Tok::Colon)) {
    error_at_ = pos_;
    return error_expression({from.begin, previous_end()});
  }
  const ExprId second = binary(1);
  const std::uint32_t end = item_.exprs[second].span.end;
  if (errors_ == errors)
    mend(found, "Write `where(…)`", {{{from.begin, from.begin}, "where("}, {{from.end, sign.end}, ","}, {{item_.exprs[first].span.end, colon.end}, ","}, {{end, end}, ")"}});
  return called("where", {test, first, second}, {from.begin, end});
}

// `not x`, `+x`, `*p`, `&x`.
std::optional<ExprId> ItemParser::foreign_prefix() {
  const Span sign = token().span();
  if (word_is("not") && same_line(1) && begins_operand(raw(1)) && raw(1) != Tok::LeftParen && raw(1) != Tok::Minus) {
    mend(foreign(sign, "`not` is written `!`"), "Write `!`", {{{sign.begin, token(1).begin}, "!"}});
    while (word_is("not") && begins_operand(raw(1))) ++pos_;
    error_at_ = no_partner;
    const ExprId operand = unary();
    return add({UnaryExpr{UnaryOp::Not, operand}, {sign.begin, item_.exprs[operand].span.end}});
  }
  const Tok kind = raw();
  if (kind != Tok::Plus && kind != Tok::Star && kind != Tok::And) return {};
  if (!begins_operand(raw(1)) || token(1).newline) return {};
  const bool after_sign = pos_ > 0 && tokens_[pos_ - 1].end == sign.begin && tokens_[pos_ - 1].kind == Tok::Assign;
  if (after_sign && adjacent(0) == false) {  // `x =+ 1`
    const Span both{sign.begin - 1, sign.end};
    const std::string better = fmt::format("{}=", text(sign));
    mend(foreign(both, fmt::format("`{}` is written `{}`", text(both), better)), fmt::format("Write `{}`", better), {{both, better}});
  } else if (kind == Tok::Plus) {
    mend(foreign(sign, "there is no unary `+`"), "Remove `+`", {{sign, ""}});
  } else {
    foreign(sign, kind == Tok::Star ? "there are no pointers: an element is `A[i]`" : "there are no references: a tensor is passed by its name");
  }
  ++pos_;
  error_at_ = no_partner;
  const ExprId operand = unary();
  return kind == Tok::Plus ? operand : error_expression({sign.begin, item_.exprs[operand].span.end});
}

// A token that no rule takes, where there is something better to say than that.
bool ItemParser::foreign_junk() {
  const Lexeme here = token();
  const std::string_view word = text(here.span());
  const Lexeme before = pos_ > 0 ? tokens_[pos_ - 1] : Lexeme{};
  if (here.kind == Tok::If) return foreign(here.span(), "`if` is a statement and gives no value: `where(c, a, b)` chooses one"), true;
  if (here.kind == Tok::Dot && raw(1) == Tok::Dot) return foreign({here.begin, token(1).end}, "`..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`"), true;
  if (here.kind == Tok::Name && (word == "lambda" || word == "new" || word == "sizeof")) return foreign(here.span(), fmt::format("there is no `{}`", word)), true;
  if ((here.kind == Tok::Plus || here.kind == Tok::Minus) && step_follows()) return foreign({here.begin, token(1).end}, fmt::format("`{}` is no operator: write `{}= 1` as a statement of its own", text({here.begin, token(1).end}), word)), true;
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
