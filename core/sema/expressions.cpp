#include "checker.h"

namespace phobos::sema {

ExprId Checker::expression(syntax::ExprId id) {
  if (!id) return error(here({}));
  const syntax::Expr& expr = (*frame_.item)[id];
  const Location at = here(expr.span);
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

ExprId Checker::integer(syntax::ExprId id, Code code) {
  const ExprId result = value(id);
  if (wrong(result) || (type(result).is_scalar() && is_integer(type(result).element))) return harden(result);
  report(code, out_[result].location, to_string(type(harden(result))));
  return error(out_[result].location);
}

ExprId Checker::name(const std::string& name, Location at) {
  if (const LocalId local = lookup(name)) {
    out_.locals[local].used = true;
    const Local& known = out_.locals[local];
    return add(LocalExpr{local}, known.type, at, known.constant);
  }
  const std::vector<std::string_view> names = visible_names();
  auto& d = report(Code::UnknownName, at, name);
  if (const auto near = builtins::nearest(name, names))
    d.fixes.push_back(replacement(fmt::format("Change to `{}`", *near), at, std::string(*near)));
  return error(at);
}

ExprId Checker::field(const syntax::FieldExpr& expr, Location at) {
  const syntax::Item& item = *frame_.item;
  if (expr.field.missing) return error(at);
  if (std::holds_alternative<syntax::CtxExpr>(item[expr.object].node)) return ctx_field(expr.field, nullptr, at);
  if (const auto* inner = std::get_if<syntax::FieldExpr>(&item[expr.object].node))
    if (std::holds_alternative<syntax::CtxExpr>(item[inner->object].node) && !inner->field.missing) return ctx_field(inner->field, &expr.field, at);
  const ExprId object = expression(expr.object);
  if (!wrong(object)) report(Code::NoFields, here(expr.field.span), text_at(out_[object].location));
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
    constexpr std::tuple<std::string_view, std::string_view, std::string_view> meant[] = {
        {"warp_size", "lanes", "the warp width"}, {"warpSize", "lanes", "the warp width"}, {"lane_count", "lanes", "the warp width"},
        {"lane_id", "lane", "this thread's lane"}, {"warp_id", "warp", "this thread's warp"}, {"thread_id", "thread", "this thread"},
        {"tid", "thread", "this thread"}, {"threadIdx", "thread", "this thread"}, {"block_id", "block", "this CTA's index"},
        {"blockIdx", "block", "this CTA's index"}, {"blockDim", "threads", "the CTA's size"}, {"block_size", "threads", "the CTA's size"},
        {"num_threads", "threads", "the CTA's size"}, {"num_warps", "warps", "the number of warps"}, {"gridDim", "blocks", "the grid's extent"},
        {"grid", "blocks", "the grid's extent"}, {"num_blocks", "blocks", "the grid's extent"}};
    std::string suffix;
    std::string_view better;
    for (const auto& [theirs, ours, what] : meant)
      if (field.text == theirs) better = ours, suffix = fmt::format("; {} is `ctx.{}`", what, ours);
    if (better.empty())
      if (const auto near = builtins::nearest(field.text, names)) better = *near, suffix = fmt::format("; did you mean `ctx.{}`?", *near);
    if (suffix.empty()) suffix = "; it has `block`, `blocks`, `threads`, `warps`, `lanes`, `warp`, `thread` and `lane`";
    auto& d = report(Code::CtxNoField, here(field.span), field.text, suffix);
    if (!better.empty()) d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}`", better), here(field.span), std::string(better)));
    return error(at);
  }
  int number = 0;
  if (row->has_axis) {
    if (!axis) {
      auto& d = report(Code::CtxNeedsAxis, at, row->name, row->name);
      d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}.x`", row->name), {{at.span.end, at.span.end}, at.origin}, ".x"));
      return error(at);
    }
    if (axis->text != "x" && axis->text != "y" && axis->text != "z") {
      report(Code::CtxNoAxis, here(axis->span), fmt::format("`ctx.{}` has the axes `x`, `y` and `z`, but no axis `{}`", row->name, axis->text));
      return error(at);
    }
    number = axis->text[0] - 'x';
  } else if (axis) {
    auto& d = report(Code::CtxNoAxis, here(axis->span), fmt::format("`ctx.{}` is one number and has no axis", row->name));
    d.fixes.push_back(replacement(fmt::format("Change to `ctx.{}`", row->name), at, fmt::format("ctx.{}", row->name)));
    return error(at);
  }
  std::optional<Constant> constant;
  if (row->field == builtins::CtxField::Lanes) constant = Constant{std::int64_t{32}};
  if (row->field == builtins::CtxField::Threads && !generic_) constant = Constant{std::int64_t{out_.attributes.threads}};
  if (row->field == builtins::CtxField::Warps && !generic_) constant = Constant{std::int64_t{out_.attributes.threads / 32}};
  return add(CtxExpr{row->field, number}, Type::scalar(ScalarType::Index), at, constant);
}

ExprId Checker::unary(const syntax::UnaryExpr& expr, Location at) {
  const ExprId operand = value(expr.operand);
  if (wrong(operand)) return error(at);
  const Type t = type(operand);
  const bool good = expr.op == UnaryOp::Not        ? t.element == ScalarType::Bool
                    : expr.op == UnaryOp::Negate   ? t.element != ScalarType::Bool
                                                   : is_integer(t.element);
  if (!good) {
    auto& d = report(Code::OperatorType, at, syntax::spelling(expr.op), to_string(type(harden(operand))));
    if (expr.op == UnaryOp::Complement && t.element == ScalarType::Bool)
      d.fixes.push_back(replacement("Change to `!`", {{at.span.begin, at.span.begin + 1}, at.origin}, "!"));
    return error(at);
  }
  const auto& constant = out_[operand].constant;
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
    report(Code::NoJoin, at, to_string(type(left)), to_string(type(right)), syntax::spelling(op));
    return error(at);
  }
  if (op == BinaryOp::Shl || op == BinaryOp::Shr) return shift(op, left, right, at);
  if (syntax::is_logical(op) && type(left).is_scalar() && type(right).is_scalar()) return logical(op, left, right, at);
  auto element = join(left, right);
  if (!element) {
    report(Code::NoJoin, at, to_string(type(harden(left))), to_string(type(harden(right))), syntax::spelling(op));
    return error(at);
  }
  const bool both_soft = soft(left) && soft(right);
  if (!takes(op, *element)) {
    auto& d = report(Code::OperatorType, op_at, syntax::spelling(op), name_of(both_soft && is_float(*element) ? ScalarType::F32 : *element));
    if (*element == ScalarType::Bool && (op == BinaryOp::BitAnd || op == BinaryOp::BitOr)) {
      const std::string_view better = op == BinaryOp::BitAnd ? "&&" : "||";
      d.fixes.push_back(replacement(fmt::format("Change to `{}`", better), op_at, std::string(better)));
    }
    return error(at);
  }
  if (in_run_ && op == BinaryOp::Mul && size_of(*element) == 1 && (type(left).is_run() || type(right).is_run())) element = ScalarType::I32;
  std::vector<Extent> shape;
  if (!type(left).is_scalar() || !type(right).is_scalar()) {
    auto broadcasted = broadcast(type(left).shape, type(right).shape, at);
    if (!broadcasted) return error(at);
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
    report(Code::DivisionByZero, at);
    return error(at);
  }
  if (result.form == Form::Scalar && a && b) folded = fold(op, *a, *b, *element);
  const ExprId id = add(BinaryExpr{op, left, right}, result, at, folded);
  if (both_soft && folded && result.element != ScalarType::Bool) set_soft(id);
  return id;
}

ExprId Checker::logical(BinaryOp op, ExprId left, ExprId right, Location at) {
  for (const ExprId side : {left, right})
    if (type(side).element != ScalarType::Bool) {
      report(Code::OperatorType, out_[side].location, syntax::spelling(op), to_string(type(harden(side))));
      return error(at);
    }
  std::optional<Constant> folded;
  const auto &a = out_[left].constant, &b = out_[right].constant;
  if (a && b) folded = fold(op, *a, *b, ScalarType::Bool);
  return add(LogicalExpr{op == BinaryOp::And, left, right}, Type::scalar(ScalarType::Bool), at, folded);
}

// The result has the left operand's type; the count may be of any integer type.
ExprId Checker::shift(BinaryOp op, ExprId left, ExprId right, Location at) {
  for (const ExprId side : {left, right})
    if (!is_integer(type(side).element)) {
      report(Code::OperatorType, out_[side].location, syntax::spelling(op), to_string(type(harden(side))));
      return error(at);
    }
  const bool both_soft = soft(left) && soft(right);
  if (!both_soft) {
    left = harden(left);
    right = convert(right, type(left).element);
    if (wrong(left) || wrong(right)) return error(at);
  }
  Type result = type(left);
  const int bits = bits_of(result.element);
  if (const auto& count = out_[right].constant) {
    const std::int64_t by = std::get<std::int64_t>(count->value);
    if (by < 0 || by >= bits) {
      report(Code::ShiftRange, at, by, bits, name_of(result.element));
      return error(at);
    }
  }
  if (type(left).is_tile() || type(right).is_tile() || type(left).is_run() || type(right).is_run()) {
    const auto shape = broadcast(type(left).shape, type(right).shape, at);
    if (!shape) return error(at);
    result.form = type(left).is_tile() || type(right).is_tile() ? Form::Tile : Form::Run;
    result.shape = *shape;
  }
  std::optional<Constant> folded;
  if (result.is_scalar() && out_[left].constant && out_[right].constant) folded = fold(op, *out_[left].constant, *out_[right].constant, result.element);
  const ExprId id = add(BinaryExpr{op, left, right}, result, at, folded);
  if (both_soft && folded) set_soft(id);
  return id;
}

}  // namespace phobos::sema
