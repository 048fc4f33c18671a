#include <charconv>
#include <string>

#include "builder.h"

namespace phobos::syntax {

std::string_view spelling(UnaryOp op) {
  constexpr std::string_view names[] = {"-", "!", "~"};
  return names[static_cast<int>(op)];
}

std::string_view spelling(BinaryOp op) {
  constexpr std::string_view names[] = {"||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"};
  return names[static_cast<int>(op)];
}

namespace {

std::string digits_of(std::string_view text) {
  std::string digits;
  for (char c : text)
    if (c != '_') digits += c;
  return digits;
}

std::optional<BinaryOp> binary_op(std::string_view text) {
  for (int i = 0; i <= static_cast<int>(BinaryOp::Rem); ++i)
    if (spelling(static_cast<BinaryOp>(i)) == text) return static_cast<BinaryOp>(i);
  return std::nullopt;
}

}  // namespace

ExprId Builder::required(TSNode parent, Field field, std::string_view what) {
  const TSNode node = child(parent, field);
  if (!ts_node_is_null(node)) return expression(node);
  const std::uint32_t end = previous_token_end(ts_node_end_byte(parent));
  if (!ts_node_has_error(parent)) expected(end, what);
  return error_expression({end, end});
}

std::optional<std::uint64_t> Builder::integer_value(TSNode node) {
  std::string digits = digits_of(text(node));
  int base = 10;
  if (digits.starts_with("0x")) base = 16;
  if (digits.starts_with("0b")) base = 2;
  const char* first = digits.data() + (base == 10 ? 0 : 2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size() || value > 0x8000000000000000u) {
    report(diag::Code::LiteralTooLarge, span(node), std::string(text(node)));
    return std::nullopt;
  }
  return value;
}

ExprId Builder::integer(TSNode node) {
  const auto value = integer_value(node);
  if (!value) return error_expression(span(node));
  return item_.exprs.add({IntLiteral{*value}, span(node)});
}

ExprId Builder::expression(TSNode node) {
  if (ts_node_is_null(node)) return error_expression({});
  if (ts_node_is_missing(node)) return error_expression(span(node));
  if (!enter(node)) return error_expression(span(node));
  ExprId result;
  switch (kind(node)) {
    case NodeKind::IntegerLiteral: result = integer(node); break;
    case NodeKind::FloatLiteral:
      result = item_.exprs.add({FloatLiteral{std::strtod(digits_of(text(node)).c_str(), nullptr)}, span(node)});
      break;
    case NodeKind::BooleanLiteral: result = item_.exprs.add({BoolLiteral{text(node) == "true"}, span(node)}); break;
    case NodeKind::Identifier: result = item_.exprs.add({NameExpr{std::string(text(node))}, span(node)}); break;
    case NodeKind::Ctx: result = item_.exprs.add({CtxExpr{}, span(node)}); break;
    case NodeKind::ParenthesizedExpression: {
      const ExprId inner = required(node, Field::Expression, "an expression");
      result = item_.exprs.add({ParenExpr{inner}, span(node)});
      break;
    }
    case NodeKind::UnaryExpression: {
      const std::string_view op = text(child(node, Field::Operator));
      const ExprId operand = required(node, Field::Operand, "an operand");
      const UnaryOp code = op == "-" ? UnaryOp::Negate : op == "!" ? UnaryOp::Not : UnaryOp::Complement;
      result = item_.exprs.add({UnaryExpr{code, operand}, span(node)});
      break;
    }
    case NodeKind::BinaryExpression: result = binary(node); break;
    case NodeKind::FieldExpression: {
      const ExprId object = required(node, Field::Object, "an expression");
      const Name field = name(node, child(node, Field::FieldName), "a field name");
      result = item_.exprs.add({FieldExpr{object, field}, span(node)});
      break;
    }
    case NodeKind::SubscriptExpression: result = subscript(node); break;
    case NodeKind::CallExpression: result = call(node); break;
    case NodeKind::SpanSubscript: {
      const ExprId start = required(node, Field::Start, "a start");
      const ExprId length = required(node, Field::Length, "a length");
      result = item_.exprs.add({RunExpr{start, length}, span(node)});
      break;
    }
    case NodeKind::MisplacedStatement: {
      const std::uint32_t end = previous_token_end(ts_node_start_byte(node));
      expected(end, "a value");
      swallowed_.push_back(node);
      result = error_expression({end, end});
      break;
    }
    default: result = error_expression(span(node)); break;
  }
  leave();
  return result;
}

// A chain `a + b + c` leans to the left; its spine is walked with a loop, so that its length is no depth.
ExprId Builder::binary(TSNode node) {
  std::vector<TSNode> spine;
  TSNode left = node;
  while (kind(left) == NodeKind::BinaryExpression && !ts_node_is_missing(left)) {
    spine.push_back(left);
    left = child(left, Field::Left);
    if (ts_node_is_null(left)) break;
  }
  if (static_cast<int>(spine.size()) > nesting_limit) {  // the later stages recurse over it
    if (!too_deep_) report(diag::Code::NestingTooDeep, span(node), nesting_limit);
    too_deep_ = true;
    return error_expression(span(node));
  }
  ExprId result = expression(left);
  for (auto each = spine.rbegin(); each != spine.rend(); ++each) {
    const TSNode op_node = child(*each, Field::Operator);
    const auto op = ts_node_is_null(op_node) ? std::nullopt : binary_op(text(op_node));
    const ExprId right = required(*each, Field::Right, "an operand");
    if (!op) {
      if (!ts_node_is_null(op_node) && text(op_node) == "@") report(diag::Code::SyntaxUnexpected, span(op_node), "`@`: the matrix product of two tiles is `dot(a, b)`");
      result = error_expression(span(*each));
      continue;
    }
    bool chained = false;
    if (is_comparison(*op))
      if (const auto* inner = std::get_if<BinaryExpr>(&item_.exprs[result].node); inner && is_comparison(inner->op))
        report(diag::Code::ChainedComparison, span(op_node)), chained = true;
    if (chained) {
      result = error_expression(span(*each));
      continue;
    }
    result = item_.exprs.add({BinaryExpr{*op, span(op_node), result, right}, span(*each)});
  }
  return result;
}

ExprId Builder::subscript(TSNode node) {
  SubscriptExpr result;
  result.object = required(node, Field::Object, "an expression");
  each_child(child(node, Field::Subscripts), [&](TSNode part, TSFieldId field) {
    if (field != nodes().id(Field::SubscriptField)) return;
    Subscript s;
    s.span = span(part);
    using Form = Subscript::Form;
    switch (kind(part)) {
      case NodeKind::FullSubscript: s.form = Form::Full; break;
      case NodeKind::PrefixSubscript:
        s.form = Form::Prefix;
        s.second = required(part, Field::Stop, "an end");
        break;
      case NodeKind::RangeSubscript:
        s.form = Form::Range;
        s.first = required(part, Field::Start, "a start");
        s.second = required(part, Field::Stop, "an end");
        break;
      case NodeKind::SpanSubscript:
        s.form = Form::Span;
        s.first = required(part, Field::Start, "a start");
        s.second = required(part, Field::Length, "a length");
        break;
      case NodeKind::OpenRangeSubscript: {
        s.first = required(part, Field::Start, "a start");
        const std::string start(text(child(part, Field::Start)));
        report(diag::Code::OpenRange, s.span, start, start);
        break;
      }
      default:
        s.form = Form::Point;
        s.first = expression(part);
        break;
    }
    result.subscripts.push_back(s);
  });
  return item_.exprs.add({std::move(result), span(node)});
}

ExprId Builder::call(TSNode node) {
  CallExpr result;
  result.callee = required(node, Field::Function, "a function");
  if (const TSNode f = child(node, Field::Fold); !ts_node_is_null(f)) result.fold = fold(f);
  each_child(child(node, Field::Arguments), [&](TSNode part, TSFieldId field) {
    if (field == nodes().id(Field::Argument)) result.arguments.push_back(expression(part));
  });
  return item_.exprs.add({std::move(result), span(node)});
}

std::optional<Fold> Builder::fold(TSNode node) {
  Fold result;
  result.span = span(node);
  if (kind(node) == NodeKind::OverFold) {
    const TSNode field = child(node, Field::FieldName);
    const std::string_view word = ts_node_is_null(field) ? "" : text(field);
    if (word == "lane") result.form = Fold::Form::OverLane;
    else if (word == "thread") result.form = Fold::Form::OverThread;
    else report(diag::Code::SyntaxExpected, span(ts_node_is_null(field) ? node : field), "`ctx.lane` or `ctx.thread`");
  } else if (kind(node) == NodeKind::ShuffleFold) {
    const TSNode op = child(node, Field::Operator);
    const std::string_view word = ts_node_is_null(op) ? "" : text(op);
    result.form = word == "xor" ? Fold::Form::Xor : word == "up" ? Fold::Form::Up : word == "down" ? Fold::Form::Down : Fold::Form::From;
    result.operand = required(node, Field::Lane, "a lane");
  }
  return result;
}

}  // namespace phobos::syntax
