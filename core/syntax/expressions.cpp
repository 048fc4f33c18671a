// Expressions, by precedence climbing.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "item_parser.h"

namespace phobos::syntax {

using diag::Code;

std::string_view spelling(UnaryOp op) {
  constexpr std::string_view names[] = {"-", "!", "~"};
  return names[static_cast<int>(op)];
}

std::string_view spelling(BinaryOp op) {
  constexpr std::string_view names[] = {"||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"};
  return names[static_cast<int>(op)];
}

namespace {

constexpr bool is_binary(Tok kind) { return kind >= Tok::OrOr && kind <= Tok::Percent; }
constexpr BinaryOp operation(Tok kind) { return static_cast<BinaryOp>(static_cast<int>(kind) - static_cast<int>(Tok::OrOr)); }

constexpr int level_of(BinaryOp op) {
  constexpr int levels[] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 5, 6, 7, 7, 8, 8, 9, 9, 9};
  return levels[static_cast<int>(op)];
}

}  // namespace

// How far the later stages recurse over an expression: its height, where a chain of operators counts once.
ExprId ItemParser::add(Expr expr) {
  const auto of = [&](ExprId id) { return id ? static_cast<int>(depths_[id.value].height) : 0; };
  int height = 0, chain = 0;
  if (const auto* paren = std::get_if<ParenExpr>(&expr.node)) height = of(paren->inner);
  else if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) height = of(unary->operand);
  else if (const auto* field = std::get_if<FieldExpr>(&expr.node)) height = of(field->object);
  else if (const auto* run = std::get_if<RunExpr>(&expr.node)) height = std::max(of(run->start), of(run->length));
  else if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
    const bool goes_on = std::holds_alternative<BinaryExpr>(item_.exprs[binary->left].node);
    if (goes_on) chain = depths_[binary->left.value].chain + 1;
    height = std::max(of(binary->left) - (goes_on ? 1 : 0), of(binary->right));
  } else if (const auto* subscript = std::get_if<SubscriptExpr>(&expr.node)) {
    height = of(subscript->object);
    for (const Subscript& each : subscript->subscripts) height = std::max({height, of(each.first), of(each.second)});
  } else if (const auto* call = std::get_if<CallExpr>(&expr.node)) {
    height = of(call->callee);
    if (call->fold) height = std::max(height, of(call->fold->operand));
    for (const ExprId each : call->arguments) height = std::max(height, of(each));
  }
  if (++height > nesting_limit || chain > chain_limit) {
    too_deep(chain > chain_limit ? chain_limit : nesting_limit);
    expr.node = ErrorExpr{};
    height = 1;
    chain = 0;
  }
  depths_.push_back({static_cast<std::uint16_t>(height), static_cast<std::uint16_t>(chain)});
  return item_.exprs.add(std::move(expr));
}

ExprId ItemParser::binary_from(ExprId left, int lowest) {
  for (;;) {
    join_line();
    if (auto other = foreign_infix(left, lowest)) {
      left = *other;
      continue;
    }
    const Tok kind = peek();
    if (!is_binary(kind) || step_follows() || split_assignment_follows() || (kind == Tok::Plus && raw(1) == Tok::Colon)) return left;
    const BinaryOp op = operation(kind);
    const int level = level_of(op);
    if (level < lowest) return left;
    const Lexeme sign = token();
    if (is_comparison(op) && compares(left)) {
      left = chained(left, op, sign.span());
      continue;
    }
    // `(a > 0) & b == 1`, `a == 1 & (b > 0)`: what `&` takes ends at the comparison next to it.
    const BinaryExpr* before = is_comparison(op) ? bits_in(left) : nullptr;
    std::optional<BinaryExpr> joined;
    if (before && compares_within(before->left) && !compares_within(before->right)) joined = *before;
    ++pos_;
    ExprId right = binary(level + 1);
    const Span whole = cover(item_.exprs[left].span, item_.exprs[right].span);
    const BinaryExpr* behind = is_comparison(op) ? bits_in(right) : nullptr;
    if (joined) {
      join_truths(*joined, true);
      right = add({BinaryExpr{op, sign.span(), joined->right, right}, cover(item_.exprs[joined->right].span, item_.exprs[right].span)});
      left = add({BinaryExpr{logical_of(joined->op), joined->op_span, joined->left, right}, whole});
    } else if (behind && compares_within(behind->right) && !compares_within(behind->left)) {
      const BinaryExpr parts = *behind;
      join_truths(parts, true);
      left = add({BinaryExpr{op, sign.span(), left, parts.left}, cover(item_.exprs[left].span, item_.exprs[parts.left].span)});
      left = add({BinaryExpr{logical_of(parts.op), parts.op_span, left, parts.right}, whole});
    } else if (is_comparison(op) && compares(right)) {
      report(Code::ChainedComparison, sign.span());
      left = error_expression(whole);
    } else {
      left = add({BinaryExpr{op, sign.span(), left, right}, whole});
    }
  }
}

// `a & b` or `a | b`.
const BinaryExpr* ItemParser::bits_in(ExprId expr) const {
  const auto* bits = std::get_if<BinaryExpr>(&item_.exprs[expr].node);
  return bits && (bits->op == BinaryOp::BitAnd || bits->op == BinaryOp::BitOr) ? bits : nullptr;
}

// `(a < b)`.
bool ItemParser::compares_within(ExprId expr) const {
  const auto* paren = std::get_if<ParenExpr>(&item_.exprs[expr].node);
  return paren && compares(paren->inner);
}

BinaryOp ItemParser::logical_of(BinaryOp bits) { return bits == BinaryOp::BitAnd ? BinaryOp::And : BinaryOp::Or; }

// Of `&` and `|` between comparisons. At the sign.
ItemParser::Found ItemParser::join_truths(const BinaryExpr& bits, bool alone) {
  const std::string_view better = spelling(logical_of(bits.op));
  const auto found = foreign(bits.op_span, fmt::format("`{}` joins integers, and binds tighter than a comparison; two comparisons are joined by `{}`", spelling(bits.op), better));
  error_at_ = no_partner;
  if (alone) mend(found, fmt::format("Join with `{}`", better), {{bits.op_span, std::string(better)}});
  return found;
}

bool ItemParser::compares(ExprId expr) const {
  const auto* inner = std::get_if<BinaryExpr>(&item_.exprs[expr].node);
  return inner && is_comparison(inner->op);
}

// `a < b < c` and further: `a < b && b < c`. And `a < b == true`. At the second sign.
ExprId ItemParser::chained(ExprId left, BinaryOp op, Span sign) {
  ExprId middle = std::get<BinaryExpr>(item_.exprs[left].node).right, last = left;
  const BinaryExpr* split = bits_in(middle);
  const auto found = split ? join_truths(*split, false) : report(Code::ChainedComparison, sign);
  const std::string_view title = split && split->op == BinaryOp::BitOr ? "Join with `||`" : "Join with `&&`";
  error_at_ = no_partner;
  const std::size_t errors = errors_;
  std::vector<std::pair<Span, std::string>> edits;
  bool joins = true, to_truth = false;
  const Span first = item_.exprs[left].span;
  for (bool more = true; more;) {
    const bool splits = bits_in(middle) != nullptr;
    const BinaryExpr bits = splits ? *bits_in(middle) : BinaryExpr{};
    ++pos_;
    const ExprId right = binary(level_of(op) + 1);
    const Span whole = cover(first, item_.exprs[right].span), between = item_.exprs[middle].span;
    const auto* truth = std::get_if<BoolLiteral>(&item_.exprs[right].node);
    const auto& node = item_.exprs[middle].node;
    if (splits) {  // `a > 0 & b < 3`
      const auto simple_operand = [&](ExprId id) {
        const auto* inner = std::get_if<BinaryExpr>(&item_.exprs[id].node);
        return !inner || (inner->op != BinaryOp::BitAnd && inner->op != BinaryOp::BitOr && inner->op != BinaryOp::BitXor && !is_comparison(inner->op));
      };
      joins = joins && !to_truth && simple_operand(bits.left) && simple_operand(bits.right);
      edits.push_back({bits.op_span, std::string(spelling(logical_of(bits.op)))});
      std::get<BinaryExpr>(item_.exprs[last].node).right = bits.left;
      last = add({BinaryExpr{op, sign, bits.right, right}, cover(item_.exprs[bits.right].span, item_.exprs[right].span)});
      left = joins ? add({BinaryExpr{logical_of(bits.op), bits.op_span, left, last}, whole}) : error_expression(whole);
    } else if (truth && edits.empty() && op <= BinaryOp::Ne) {
      const bool same = truth->value == (op == BinaryOp::Eq);
      to_truth = true;
      edits = {{{first.begin, first.begin}, same ? "" : "!("}, {{first.end, whole.end}, same ? "" : ")"}};
      if (same) edits.erase(edits.begin());
    } else {
      const std::string words(text(between));
      joins = joins && !to_truth && words.find('\n') == words.npos && !std::holds_alternative<ErrorExpr>(node) && !std::holds_alternative<CallExpr>(node);
      edits.push_back({{sign.begin, sign.begin}, fmt::format("{}&& {} ", sign.begin == between.end ? " " : "", words)});
      const ExprId next = add({BinaryExpr{op, sign, middle, right}, cover(between, item_.exprs[right].span)});
      left = add({BinaryExpr{BinaryOp::And, sign, left, next}, whole});
      last = next;
    }
    middle = right;
    more = is_binary(peek()) && is_comparison(operation(raw()));
    if (more) {
      op = operation(raw());
      sign = token().span();
    }
  }
  if (joins && errors_ == errors) mend(found, to_truth ? "Compare once" : std::string(title), std::move(edits));
  return left;
}

ExprId ItemParser::unary() {
  const Tok kind = raw();
  if (kind != Tok::Minus && kind != Tok::Not && kind != Tok::Tilde) {
    if (auto other = foreign_prefix()) return *other;
    return postfix();
  }
  const std::uint32_t begin = token().begin;
  if (!enter()) {
    while (raw() == Tok::Minus || raw() == Tok::Not || raw() == Tok::Tilde) ++pos_;
    if (begins_operand(raw())) skip_group();
    error_at_ = pos_;
    return error_expression({begin, previous_end()});
  }
  ++pos_;
  ExprId operand;
  if (kind == Tok::Minus && raw() == Tok::Integer && integer_value_fits(token())) {
    operand = add({IntLiteral{integer_value(token(), true)}, token().span()});
    ++pos_;
    operand = postfix_of(operand);
  } else {
    operand = unary();
  }
  leave();
  const UnaryOp op = kind == Tok::Minus ? UnaryOp::Negate : kind == Tok::Not ? UnaryOp::Not : UnaryOp::Complement;
  return add({UnaryExpr{op, operand}, {begin, item_.exprs[operand].span.end}});
}

ExprId ItemParser::postfix() { return postfix_of(primary()); }

ExprId ItemParser::postfix_of(ExprId left) {
  for (;;) {
    join_line();
    const Tok kind = peek();
    if (kind == Tok::LeftBracket) {
      left = subscripted(left);
    } else if (kind == Tok::LeftParen || arguments_in_braces(left)) {
      left = call(left, {});
    } else if ((kind == Tok::Less && fold_follows()) || fold_without_opener()) {
      std::optional<Fold> words = fold();
      if (!words) left = add({NameExpr{std::string(scalar_meant(text(tokens_[pos_ - 2].span())))}, item_.exprs[left].span});  // a conversion
      left = call(left, std::move(words));
    } else if (kind == Tok::Dot && raw(1) != Tok::Dot) {
      ++pos_;
      Name field = declared_name("a field's name");
      const Span at{item_.exprs[left].span.begin, previous_end()};
      left = add({FieldExpr{left, std::move(field)}, at});
    } else if (kind == Tok::Name && std::holds_alternative<CtxExpr>(item_.exprs[left].node)) {  // `ctx lane`
      insert(report(Code::SyntaxExpected, gap(), "`.` behind `ctx`"), previous_end(), ".");
      const Lexeme field = token();
      ++pos_;
      left = add({FieldExpr{left, {std::string(text(field.span())), field.span(), false}}, {item_.exprs[left].span.begin, field.end}});
    } else {
      return left;
    }
  }
}

ExprId ItemParser::primary() {
  const Lexeme here = token();
  const std::string_view word = text(here.span());
  if (here.newline && newline_ends_ && pos_ != statement_at_ && line_is_statement(pos_)) return missing_operand();
  switch (here.kind) {
    case Tok::Name:
      if (const auto number = number_in_text()) return *number;
      ++pos_;
      return add({NameExpr{std::string(word)}, here.span()});
    case Tok::Ctx: ++pos_; return add({CtxExpr{}, here.span()});
    case Tok::Integer: return integer();
    case Tok::Float: {
      ++pos_;
      return add({FloatLiteral{std::strtod(std::string(word).c_str(), nullptr)}, here.span()});
    }
    case Tok::True:
    case Tok::False: ++pos_; return add({BoolLiteral{here.kind == Tok::True}, here.span()});
    case Tok::LeftParen: return parenthesized();
    case Tok::Text:
      text_junk();
      return error_expression(here.span());
    case Tok::If:
      if (newline_ends_ && here.newline && pos_ != statement_at_) break;
      return conditional_statement();
    case Tok::Or:
    case Tok::OrOr:
      if (auto function = closure()) return *function;
      break;
    case Tok::LeftBracket:
      if (auto function = closure()) return *function;
      if (const auto list = comprehension()) return *list;
      if (!closed(pos_)) break;
      foreign(here.span(), "there are no lists: a tile is declared with `var t: tile<f32>[M, N]`");
      skip_group();
      error_at_ = pos_;
      return error_expression({here.begin, previous_end()});
    default: break;
  }
  return missing_operand();
}

ExprId ItemParser::missing_operand() {
  const Tok before = pos_ > 0 ? tokens_[pos_ - 1].kind : Tok::End;
  const bool stands_in_the_way = same_line(0) && !closes(raw()) && raw() != Tok::LeftBrace && raw() != Tok::Comma && raw() != Tok::Semicolon;
  if (raw() == Tok::LeftBrace && assigns(before) && foreign_junk()) {
    error_at_ = pos_;
    return error_expression(behind());
  }
  const bool in_list = before == Tok::Comma || before == Tok::ColonPlus || before == Tok::Colon;
  if (pos_ > 0 && !stands_in_the_way && (in_list || is_binary(before) || assigns(before) || before == Tok::Not || before == Tok::Tilde)) {
    const auto found = report(Code::SyntaxExpected, previous_span(), fmt::format("a value behind `{}`", text(previous_span())));
    if (before == Tok::Comma && closes(raw())) mend(found, "Remove `,`", {{previous_span(), ""}});
  } else if (begins_statement(raw()) && same_line(0) && assigns(before)) {
    foreign(token().span(), fmt::format("`{}` is a statement and gives no value{}", text(token().span()), raw() == Tok::If ? ": `where(c, a, b)` chooses one" : ""));
  } else if (!foreign_junk()) {
    const auto found = expected("a value");
    if (raw() == Tok::Comma) mend(found, "Remove `,`", {{{token().begin, token(1).begin}, ""}});
  }
  error_at_ = pos_;
  return error_expression(behind());
}

ExprId ItemParser::value() { return expression(); }

ExprId ItemParser::parenthesized() {
  const std::size_t opener = pos_;
  const std::uint32_t begin = token().begin;
  if (!enter()) {
    if (closed(pos_)) skip_group();
    else while (raw() == Tok::LeftParen) ++pos_;
    skip_rest_of_depth(opener);
    return error_expression({begin, previous_end()});
  }
  ++pos_;
  const bool before = open(opener);
  const ExprId inner = expression();
  if (raw() == Tok::Comma && (closed(opener) ? pos_ < partner_[opener] : true) && error_at_ != pos_) {
    foreign(token().span(), "a parenthesis holds one value");
    error_at_ = pos_;
    if (!closed(opener))
      while (raw() == Tok::Comma && !list_ends(opener)) {
        ++pos_;
        expression();
      }
  } else if (closed(opener) && pos_ < partner_[opener] && error_at_ != pos_ && begins_operand(raw())) {
    report(Code::SyntaxExpected, token().span(), fmt::format("an operator or `)` before {}", described(token())));
  }
  close(opener, Tok::RightParen, "parenthesis", before);
  leave();
  return add({ParenExpr{inner}, {begin, previous_end()}});
}

// Where nesting goes too deep nothing of the rest of the line is read.
void ItemParser::skip_rest_of_depth(std::size_t opener) {
  if (!closed(opener))
    while (raw() != Tok::End && !token().newline && raw() != Tok::LeftBrace && raw() != Tok::RightBrace) ++pos_;
  error_at_ = pos_;
}

// --- literals ------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint64_t largest = 0x7fffffffffffffffu;

std::optional<std::uint64_t> value_of(std::string_view text) {
  std::string digits;
  for (char c : text)
    if (c != '_') digits += c;
  int base = 10;
  if (digits.starts_with("0x")) base = 16;
  if (digits.starts_with("0b")) base = 2;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data() + (base == 10 ? 0 : 2), digits.data() + digits.size(), value, base);
  if (error == std::errc::result_out_of_range || value > largest + 1) return {};
  return value;  // what follows the digits was reported by the lexer
}

}  // namespace

bool ItemParser::integer_value_fits(const Lexeme& token) const { return value_of(text(token.span())).has_value(); }

// `negated`: a minus stands before it, so that it may be one larger.
std::uint64_t ItemParser::integer_value(const Lexeme& token, bool negated) {
  const auto value = value_of(text(token.span()));
  if (value && (negated || *value <= largest)) return *value;
  std::string_view word = text(token.span());
  report(Code::LiteralTooLarge, token.span(), word.substr(0, 40));
  return 0;
}

ExprId ItemParser::integer() {
  const Lexeme here = token();
  const std::size_t errors = errors_;
  const std::uint64_t value = integer_value(here, false);
  ++pos_;
  if (errors_ == errors) return add({IntLiteral{value}, here.span()});
  errors_ = errors;  // the statement goes on
  return error_expression(here.span());
}

}  // namespace phobos::syntax
