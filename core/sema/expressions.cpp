#include <algorithm>
#include <cmath>
#include <limits>

#include "checker.h"
#include "vocabulary.h"

namespace phobos::sema {

ExprId Checker::expression(syntax::ExprId id) {
  if (!id) return error(here({}));
  const syntax::Expr& expr = (*frame_.item)[id];
  const Location at = here(expr.span);
  if (origin_ == 0) seen_[id.value] = true;
  struct Visit {
    Checker& c;
    Location at;
    ExprId operator()(const syntax::ErrorExpr&) { return c.error(at); }
    ExprId operator()(const syntax::IntLiteral& e) {
      const ExprId id = c.add(ConstantExpr{}, Type::scalar(ScalarType::Index), at, Constant{static_cast<std::int64_t>(e.value)});
      if (e.value > 0x7fffffffffffffffu) {
        c.report(Code::LiteralTooLarge, at, e.value);
        return c.error(at);
      }
      c.set_soft(id);
      return id;
    }
    ExprId operator()(const syntax::FloatLiteral& e) {
      if (std::isinf(e.value)) {
        c.report(Code::LiteralRange, at, fmt::format("`{}`", c.text_at(at)), name_of(ScalarType::F64));
        return c.error(at);
      }
      const ExprId id = c.add(ConstantExpr{}, Type::scalar(ScalarType::F64), at, Constant{e.value});
      c.set_soft(id);
      return id;
    }
    ExprId operator()(const syntax::BoolLiteral& e) { return c.add(ConstantExpr{}, Type::scalar(ScalarType::Bool), at, Constant{e.value}); }
    ExprId operator()(const syntax::NameExpr& e) { return c.name(e.name, at); }
    ExprId operator()(const syntax::CtxExpr&) {
      c.report(Code::CtxBare, at);
      return c.error(at);
    }
    ExprId operator()(const syntax::ParenExpr& e) { return c.expression(e.inner); }
    ExprId operator()(const syntax::UnaryExpr& e) { return c.unary(e, at); }
    ExprId operator()(const syntax::BinaryExpr& e) { return c.binary(e, at); }
    ExprId operator()(const syntax::FieldExpr& e) { return c.field(e, at); }
    ExprId operator()(const syntax::SubscriptExpr& e) { return c.subscript(e, at); }
    ExprId operator()(const syntax::CallExpr& e) { return c.call(e, at); }
    ExprId operator()(const syntax::RunExpr&) {
      c.report(Code::NotAValue, at, "`start :+ length` names a run only as the position in `elem` and `store`");
      return c.error(at);
    }
  };
  return std::visit(Visit{*this, at}, expr.node);
}

ExprId Checker::value(syntax::ExprId id) {
  const ExprId result = expression(id);
  const Location at = out_[result].location;
  if (type(result).is_tensor()) {
    report(Code::NotAValue, at, fmt::format("`{}` is a tensor in global memory; read it through a subscript", text_at(at)));
    return error(at);
  }
  if (type(result).is_void()) {
    report(Code::NotAValue, at, fmt::format("`{}` gives no value", text_at(at)));
    return error(at);
  }
  return result;
}

ExprId Checker::integer(syntax::ExprId id, Code code, std::string_view what) {
  const ExprId result = value(id);
  if (wrong(result) || (type(result).is_scalar() && is_integer(type(result).element))) return harden(result);
  const Location at = out_[result].location;
  const std::string given = to_string(type(harden(result)));
  auto& d = report(code, at, given);
  if (!what.empty()) d.message = fmt::format("{} is an integer, not `{}`", what, given);
  if (type(result).is_scalar()) d.fixes.push_back(in_call("Convert to `i32`", "i32", at));
  return error(at);
}

ExprId Checker::name(const std::string& name, Location at) {
  if (const LocalId local = lookup(name)) {
    out_.locals[local].used = true;
    const Local& known = out_.locals[local];
    return add(LocalExpr{local}, known.type, at, known.constant);
  }
  return unknown_name(name, at);
}

ExprId Checker::field(const syntax::FieldExpr& expr, Location at) {
  const syntax::Item& item = *frame_.item;
  if (expr.field.missing) return error(at);
  if (std::holds_alternative<syntax::CtxExpr>(item[expr.object].node)) return ctx_field(expr.field, nullptr, at);
  if (const auto* inner = std::get_if<syntax::FieldExpr>(&item[expr.object].node))
    if (std::holds_alternative<syntax::CtxExpr>(item[inner->object].node) && !inner->field.missing) return ctx_field(inner->field, &expr.field, at);
  if (const auto* name = std::get_if<syntax::NameExpr>(&item[expr.object].node); name && !lookup(name->name))
    return unknown_object(name->name, expr.field, here(item[expr.object].span), at);
  const ExprId object = expression(expr.object);
  if (wrong(object)) return error(at);
  const std::string whole = text_at(out_[object].location);
  auto& d = report(Code::NoFields, here(expr.field.span), whole);
  if (type(object).is_buffer() && (expr.field.text == "shape" || expr.field.text == "size")) {
    d.message += fmt::format("; the extent of its first axis is `extent({}, 0)`", whole);
    const std::string better = fmt::format("extent({}, 0)", whole);
    if (type(object).rank() != 1) return error(at);
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), at, better));
    return extent_of(object, 0, at);
  }
  if (type(object).is_tile() && type(object).rank() == 2 && expr.field.text == "T")
    d.fixes.push_back(replacement(fmt::format("Change to `transpose({})`", whole), at, fmt::format("transpose({})", whole)));
  return error(at);
}

ExprId Checker::ctx_field(const syntax::Name& field, const syntax::Name* axis, Location at) {
  const builtins::CtxRow* row = nullptr;
  std::vector<std::string_view> names;
  for (const builtins::CtxRow& each : builtins::ctx_fields()) {
    names.push_back(each.name);
    if (each.name == field.text) row = &each;
  }
  if (!row) {
    const auto meant = field_meant(field.text);
    std::optional<std::string_view> better = meant ? std::optional(meant->field) : builtins::nearest(field.text, names);
    std::string suffix = "; it has `block`, `blocks`, `threads`, `warps`, `lanes`, `warp`, `thread` and `lane`";
    if (meant) suffix = fmt::format("; {} is `ctx.{}`", meant->what, *better);
    else if (better) suffix = fmt::format("; did you mean `ctx.{}`?", *better);
    auto& d = report(Code::CtxNoField, here(field.span), field.text, suffix);
    if (!better) return error(at);
    const bool wants_axis = *better == "block" || *better == "blocks";
    const bool has_axis = axis && (axis->text == "x" || (wants_axis && (axis->text == "y" || axis->text == "z")));
    if (axis && !has_axis) return error(at);
    const std::string whole = fmt::format("ctx.{}{}", *better, wants_axis ? "." + (axis ? axis->text : "x") : "");
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", whole), at, whole));
    return meant ? meant_field(*better, axis ? axis->text : "x", at) : error(at);
  }
  int number = 0;
  if (row->has_axis) {
    if (!axis) {
      auto& d = report(Code::CtxNeedsAxis, at, row->name, row->name);
      d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}.x`", row->name), {{at.span.end, at.span.end}, at.origin}, ".x"));
      return error(at);
    }
    if (axis->text != "x" && axis->text != "y" && axis->text != "z") {
      auto& d = report(Code::CtxNoAxis, here(axis->span), fmt::format("`ctx.{}` has the axes `x`, `y` and `z`, but no axis `{}`", row->name, axis->text));
      if (axis->text == "X" || axis->text == "Y" || axis->text == "Z") {
        const std::string better(1, static_cast<char>(axis->text[0] - 'X' + 'x'));
        d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}.{}`", row->name, better), here(axis->span), better));
      }
      return error(at);
    }
    number = axis->text[0] - 'x';
  } else if (axis) {
    auto& d = report(Code::CtxNoAxis, here(axis->span), fmt::format("`ctx.{}` is one number and has no axis", row->name));
    if (axis->text == "x") d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}`", row->name), at, fmt::format("ctx.{}", row->name)));
    return error(at);
  }
  return ctx_value(*row, number, at);
}

ExprId Checker::ctx_value(const builtins::CtxRow& row, int axis, Location at) {
  std::optional<Constant> constant;
  if (row.field == builtins::CtxField::Lanes) constant = Constant{std::int64_t{32}};
  if (row.field == builtins::CtxField::Threads && !generic_) constant = Constant{std::int64_t{out_.attributes.threads}};
  if (row.field == builtins::CtxField::Warps && !generic_) constant = Constant{std::int64_t{out_.attributes.threads / 32}};
  return add(CtxExpr{row.field, axis}, Type::scalar(ScalarType::Index), at, constant);
}

// What another language's word means is known, so the rest goes on with it.
ExprId Checker::meant_field(std::string_view field, std::string_view axis, Location at) {
  const auto rows = builtins::ctx_fields();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const builtins::CtxRow& each) { return each.name == field; });
  return row == rows.end() ? error(at) : ctx_value(*row, axis == "y" ? 1 : axis == "z" ? 2 : 0, at);
}

ExprId Checker::unary(const syntax::UnaryExpr& expr, Location at) {
  const auto* literal = std::get_if<syntax::IntLiteral>(&(*frame_.item)[expr.operand].node);
  if (expr.op == UnaryOp::Negate && literal && literal->value == std::uint64_t{1} << 63) {  // which has no positive counterpart
    const ExprId least = integer_constant(std::numeric_limits<std::int64_t>::min(), at);
    set_soft(least);
    return least;
  }
  ExprId operand = value(expr.operand);
  if (wrong(operand)) return error(at);
  if (!out_[operand].constant) operand = harden(operand);
  const Type t = type(operand);
  const bool good = expr.op == UnaryOp::Not        ? t.element == ScalarType::Bool
                    : expr.op == UnaryOp::Negate   ? t.element != ScalarType::Bool
                                                   : is_integer(t.element);
  if (!good) {
    auto& d = report(Code::OperatorType, at, syntax::spelling(expr.op), to_string(type(harden(operand))));
    if (expr.op == UnaryOp::Complement && t.element == ScalarType::Bool)
      d.fixes.push_back(replacement("Change to `!`", {{at.span.begin, at.span.begin + 1}, at.origin}, "!"));
    if (expr.op == UnaryOp::Negate) d.fixes.push_back(replacement("Change to `!`", {{at.span.begin, at.span.begin + 1}, at.origin}, "!"));
    if (expr.op == UnaryOp::Not && t.is_scalar() && is_integer(t.element)) {
      const Location inner = here((*frame_.item)[expr.operand].span);
      d.fixes.push_back({"Compare with zero", {{{{at.span.begin, inner.span.begin}, at.origin}, "("}, {{{inner.span.end, inner.span.end}, at.origin}, " == 0)"}}});
    }
    return error(at);
  }
  const auto& constant = out_[operand].constant;
  if (constant && t.element == ScalarType::Index && expr.op == UnaryOp::Negate && *constant == Constant{std::numeric_limits<std::int64_t>::min()}) {
    report(Code::ConstantOverflow, at, text_at(at));
    return error(at);
  }
  const auto folded = constant && t.is_scalar() ? fold(expr.op, *constant, t.element) : std::nullopt;
  const ExprId result = add(UnaryExpr{expr.op, operand}, t, at, folded);
  if (folded && soft(operand)) set_soft(result);
  return result;
}

ExprId Checker::binary(const syntax::BinaryExpr& expr, Location at) {
  const ExprId left = value(expr.left), right = value(expr.right);
  return binary(expr.op, left, right, at, here(expr.op_span));
}

bool Checker::takes(BinaryOp op, ScalarType type) const {
  switch (op) {
    case BinaryOp::Or:
    case BinaryOp::And: return type == ScalarType::Bool;
    case BinaryOp::Eq:
    case BinaryOp::Ne: return true;
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::Rem: return is_integer(type);
    default: return type != ScalarType::Bool;
  }
}

ExprId Checker::binary(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at) {
  if (wrong(left) || wrong(right)) return error(at);
  const auto tile_and_run = [&](ExprId a, ExprId b) { return type(a).is_tile() && type(b).is_run(); };
  if (tile_and_run(left, right) || tile_and_run(right, left)) {
    report(Code::NoJoin, op_at, to_string(type(left)), to_string(type(right)), syntax::spelling(op));
    return error(at);
  }
  if (op == BinaryOp::Shl || op == BinaryOp::Shr) return shift(op, left, right, at, op_at);
  if (syntax::is_logical(op) && type(left).is_scalar() && type(right).is_scalar()) return logical(op, left, right, at);
  if (soft(left) && soft(right) && !(out_[left].constant && out_[right].constant)) {
    left = harden(left);
    right = harden(right);
  }
  auto element = join(left, right);
  if (!element) return no_join(op, left, right, at, op_at);
  const bool both_soft = soft(left) && soft(right);
  if (!takes(op, *element)) {
    auto& d = report(Code::OperatorType, op_at, syntax::spelling(op), name_of(both_soft && is_float(*element) ? ScalarType::F32 : *element));
    if (*element == ScalarType::Bool && (op == BinaryOp::BitAnd || op == BinaryOp::BitOr)) {
      const std::string_view better = op == BinaryOp::BitAnd ? "&&" : "||";
      if (here_is(op_at, syntax::spelling(op))) d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), op_at, std::string(better)));
    }
    return error(at);
  }
  if (in_run_ && op == BinaryOp::Mul && size_of(*element) == 1 && (type(left).is_run() || type(right).is_run())) element = ScalarType::I32;
  std::vector<Extent> shape;
  if (!type(left).is_scalar() || !type(right).is_scalar()) {
    const std::size_t before = out_.diagnostics.size();
    auto broadcasted = broadcast(type(left).shape, type(right).shape, op_at);
    if (!broadcasted) {
      mend_shapes(out_.diagnostics[before], left, right);
      return error(at);
    }
    shape = std::move(*broadcasted);
  }
  if (!both_soft) {
    left = convert(left, *element);
    right = convert(right, *element);
    if (wrong(left) || wrong(right)) return error(at);
  } else if (type(left).element != type(right).element) {  // 1 + 0.5
    for (ExprId* each : {&left, &right}) {
      *each = convert(*each, ScalarType::F64);
      set_soft(*each);
    }
    element = ScalarType::F64;
  }
  Type result;
  result.form = type(left).is_tile() || type(right).is_tile() ? Form::Tile : type(left).is_run() || type(right).is_run() ? Form::Run : Form::Scalar;
  result.element = syntax::is_comparison(op) || syntax::is_logical(op) ? ScalarType::Bool : *element;
  result.shape = std::move(shape);
  std::optional<Constant> folded;
  const auto &a = out_[left].constant, &b = out_[right].constant;
  if ((op == BinaryOp::Div || op == BinaryOp::Rem) && is_integer(*element) && b && type(right).is_scalar() && *b == Constant{std::int64_t{0}}) {
    report(Code::DivisionByZero, out_[right].location);
    return error(at);
  }
  if (result.form == Form::Scalar && a && b) {
    if (*element == ScalarType::Index && overflows(op, *a, *b)) {
      report(Code::ConstantOverflow, at, text_at(at));
      return error(at);
    }
    folded = fold(op, *a, *b, *element);
    if (both_soft && op != BinaryOp::Div && folded && becomes_infinite(*a, *b, *folded)) {
      report(Code::LiteralRange, at, fmt::format("`{}`", text_at(at)), name_of(ScalarType::F64));
      return error(at);
    }
  }
  const ExprId id = add(BinaryExpr{op, left, right}, result, at, folded);
  if (both_soft && folded && result.element != ScalarType::Bool) set_soft(id);
  return id;
}

ExprId Checker::no_join(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at) {
  auto& d = report(Code::NoJoin, op_at, to_string(type(harden(left))), to_string(type(harden(right))), syntax::spelling(op));
  relate_operand(d, left);
  relate_operand(d, right);
  const ExprId flag = type(left).element == ScalarType::Bool ? left : right, number = flag == left ? right : left;
  const bool compound = !here_is(op_at, syntax::spelling(op));  // `flag += 1`: the target is no place for a call
  if (type(flag).element != ScalarType::Bool || syntax::is_logical(op) || (compound && flag == left)) return error(at);
  ScalarType to = soft(number) && is_float(type(number).element) ? ScalarType::F32 : type(number).element;
  if (to == ScalarType::Index) to = ScalarType::I32;
  d.fixes.push_back(in_call(fmt::format("Convert to `{}`", name_of(to)), name_of(to), out_[flag].location));
  return error(at);
}

// Of two tiles that do not go together: one of them turned, where that makes them.
void Checker::mend_shapes(diag::Diagnostic& d, ExprId left, ExprId right) {
  relate_operand(d, left);
  relate_operand(d, right);
  for (const auto& [turned, other] : {std::pair(right, left), std::pair(left, right)}) {
    const Type &t = type(turned), &o = type(other);
    if (!t.is_tile() || !o.is_tile() || t.rank() != 2 || o.rank() != 2 || t.shape[0] != o.shape[1] || t.shape[1] != o.shape[0]) continue;
    d.fixes.push_back(in_call("Transpose this operand", "transpose", out_[turned].location));
    return;
  }
}

ExprId Checker::logical(BinaryOp op, ExprId left, ExprId right, Location at) {
  bool good = true;
  for (const ExprId side : {left, right})
    if (type(side).element != ScalarType::Bool) {
      const Location side_at = out_[side].location;
      auto& d = report(Code::OperatorType, side_at, syntax::spelling(op), to_string(type(harden(side))));
      if (!std::holds_alternative<BinaryExpr>(out_[side].node)) d.fixes.push_back(replacement("Compare with zero", {{side_at.span.end, side_at.span.end}, side_at.origin}, " != 0"));
      good = false;
    }
  if (!good) return error(at);
  std::optional<Constant> folded;
  const auto &a = out_[left].constant, &b = out_[right].constant;
  if (a && b) folded = fold(op, *a, *b, ScalarType::Bool);
  return add(LogicalExpr{op == BinaryOp::And, left, right}, Type::scalar(ScalarType::Bool), at, folded);
}

// The result has the left operand's type; the count may be of any integer type.
ExprId Checker::shift(BinaryOp op, ExprId left, ExprId right, Location at, Location op_at) {
  for (const ExprId side : {left, right})
    if (!is_integer(type(side).element)) {
      report(Code::OperatorType, out_[side].location, syntax::spelling(op), to_string(type(harden(side))));
      return error(at);
    }
  const int bits = bits_of(type(left).element);
  if (const auto& count = out_[right].constant) {
    const std::int64_t by = std::get<std::int64_t>(count->value);
    if (by < 0 || by >= bits) {
      auto& d = report(Code::ShiftRange, out_[right].location, by, bits, name_of(type(left).element));
      relate_operand(d, left);
      return error(at);
    }
  }
  const bool both_soft = soft(left) && soft(right);
  if (!both_soft) {
    left = harden(left);
    right = convert(right, type(left).element);
    if (wrong(left) || wrong(right)) return error(at);
  }
  Type result = type(left);
  if (type(left).is_tile() || type(right).is_tile() || type(left).is_run() || type(right).is_run()) {
    const std::size_t before = out_.diagnostics.size();
    const auto shape = broadcast(type(left).shape, type(right).shape, op_at);
    if (!shape) {
      mend_shapes(out_.diagnostics[before], left, right);
      return error(at);
    }
    result.form = type(left).is_tile() || type(right).is_tile() ? Form::Tile : Form::Run;
    result.shape = *shape;
  }
  std::optional<Constant> folded;
  if (result.is_scalar() && out_[left].constant && out_[right].constant) folded = fold(op, *out_[left].constant, *out_[right].constant, result.element);
  if (folded && result.element == ScalarType::Index && op == BinaryOp::Shl && overflows(op, *out_[left].constant, *out_[right].constant)) {
    report(Code::ConstantOverflow, at, text_at(at));
    return error(at);
  }
  const ExprId id = add(BinaryExpr{op, left, right}, result, at, folded);
  if (both_soft && folded) set_soft(id);
  return id;
}

}  // namespace phobos::sema
