#include "lowering.h"

#include <fmt/format.h>

namespace phobos::lower {

ValueId Lowering::expr(ExprId id) {
  const sema::Expr& node = item_[id];
  if (node.constant && node.type.is_scalar()) {
    place_span(node.location);
    return constant(node.type.element, *node.constant);
  }
  struct Visitor {
    Lowering& self;
    ExprId id;
    ValueId operator()(const sema::ErrorExpr&) const { throw NotYet{"an expression that is wrong"}; }
    ValueId operator()(const sema::ConstantExpr&) const { throw NotYet{"a constant of this type"}; }
    ValueId operator()(const sema::LocalExpr& node) const {
      self.place_span(self.item_[id].location);
      return self.local_value(node.local);
    }
    ValueId operator()(const sema::CtxExpr& node) const {
      self.place_span(self.item_[id].location);
      return self.ctx(node);
    }
    ValueId operator()(const sema::UnaryExpr& node) const { return self.unary(id, node); }
    ValueId operator()(const sema::BinaryExpr& node) const { return self.binary(id, node); }
    ValueId operator()(const sema::LogicalExpr& node) const { return self.logical(id, node); }
    ValueId operator()(const sema::ConvertExpr& node) const {
      const ValueId operand = self.expr(node.operand);
      self.place_span(self.item_[id].location);
      return self.shaped(operand, self.type_of(self.item_[id].type));
    }
    ValueId operator()(const sema::PointLoad& node) const { return self.point_load(id, node); }
    ValueId operator()(const sema::SliceLoad& node) const { return self.slice_load(id, node); }
    ValueId operator()(const sema::BuiltinCall& node) const { return self.builtin(id, node); }
    ValueId operator()(const sema::InlinedCall& node) const { return self.call(id, node); }
  };
  return std::visit(Visitor{*this, id}, node.node);
}

Lowering::Values Lowering::exprs(const std::vector<ExprId>& ids) {
  Values values;
  for (const ExprId id : ids) values.push_back(expr(id));
  return values;
}

ValueId Lowering::local_value(LocalId id) {
  const sema::Local& local = item_[id];
  if (local.constant && local.type.is_scalar()) return constant(local.type.element, *local.constant);
  if (!env_[id]) throw NotYet{fmt::format("`{}` here", local.name)};
  return in_memory_[id.value] ? load_whole(env_[id]) : env_[id];
}

ValueId Lowering::ctx(const sema::CtxExpr& node) {
  using builtins::CtxField;
  const ir::Type index = ir::Type::scalar(ScalarType::Index);
  const auto read = [&](ir::CtxValue value, Kind kind) {
    return builder_.value(Opcode::Ctx, index, kind, {}, static_cast<std::int64_t>(value));
  };
  const auto with_axis = [&](ir::CtxValue x) { return static_cast<ir::CtxValue>(static_cast<int>(x) + node.axis); };
  constexpr int lanes = 32;
  switch (node.field) {
    case CtxField::Blocks: return read(with_axis(ir::CtxValue::BlocksX), Kind::Uniform);
    case CtxField::Block: return read(with_axis(ir::CtxValue::BlockX), Kind::Uniform);
    case CtxField::Threads: return index_constant(kernel_.threads);
    case CtxField::Warps: return index_constant(kernel_.threads / lanes);
    case CtxField::Lanes: return index_constant(lanes);
    case CtxField::Warp: return read(ir::CtxValue::Warp, Kind::WarpUniform);
    case CtxField::Thread: return read(ir::CtxValue::Thread, Kind::Varying);
    case CtxField::Lane: return read(ir::CtxValue::Lane, Kind::Varying);
  }
  return {};
}

ValueId Lowering::unary(ExprId id, const sema::UnaryExpr& node) {
  const ValueId operand = expr(node.operand);
  return elementwise(id, node.op == sema::UnaryOp::Negate ? Opcode::Neg : Opcode::Not, Values{operand});
}

namespace {

Opcode opcode_of(sema::BinaryOp op) {
  using enum syntax::BinaryOp;
  switch (op) {
    case Or: case BitOr: return Opcode::Or;
    case And: case BitAnd: return Opcode::And;
    case BitXor: return Opcode::Xor;
    case Eq: return Opcode::CmpEq;
    case Ne: return Opcode::CmpNe;
    case Lt: return Opcode::CmpLt;
    case Le: return Opcode::CmpLe;
    case Gt: return Opcode::CmpGt;
    case Ge: return Opcode::CmpGe;
    case Shl: return Opcode::Shl;
    case Shr: return Opcode::Shr;
    case Add: return Opcode::Add;
    case Sub: return Opcode::Sub;
    case Mul: return Opcode::Mul;
    case Div: return Opcode::Div;
    case Rem: return Opcode::Rem;
  }
  return Opcode::Add;
}

}  // namespace

ValueId Lowering::binary(ExprId id, const sema::BinaryExpr& node) {
  if (node.op == sema::BinaryOp::Add && item_[id].type.is_tile()) {
    if (const auto* right = as_dot(node.right, item_[id].type)) return dot(id, *right, node.left);
    if (const auto* left = as_dot(node.left, item_[id].type)) return dot(id, *left, node.right);
  }
  return elementwise(id, opcode_of(node.op), std::vector<ExprId>{node.left, node.right});
}

// Of two values of one type already.
ValueId Lowering::apply(sema::BinaryOp op, ValueId left, ValueId right) {
  ir::Type type = kernel_.type(left);
  if (syntax::is_comparison(op)) type.element = ScalarType::Bool;
  return emit(opcode_of(op), std::move(type), {left, right});
}

// An operand that can be computed where it is not wanted costs less than a branch.
ValueId Lowering::logical(ExprId id, const sema::LogicalExpr& node) {
  if (const auto& known = item_[node.left].constant)
    if (const bool* left = std::get_if<bool>(&known->value); left && *left == node.is_and) return expr(node.right);
  const ValueId left = expr(node.left);
  if (is_speculatable(node.right)) {
    const ValueId right = expr(node.right);
    return elementwise(id, node.is_and ? Opcode::And : Opcode::Or, Values{left, right});
  }
  place_span(item_[id].location);
  const ir::OpId op = builder_.op(Opcode::If, {left});
  const ir::RegionId outer = builder_.region();
  for (const bool taken : {true, false}) {
    const ir::RegionId region = builder_.new_region();
    kernel_[op].regions.push_back(region);
    builder_.set_region(region);
    const ValueId value = taken == node.is_and ? expr(node.right) : builder_.integer(ScalarType::Bool, node.is_and ? 0 : 1);
    builder_.op(Opcode::Yield, {value});
  }
  builder_.set_region(outer);
  return builder_.add_result(op, ir::Type::scalar(ScalarType::Bool), kinds_.expr_kinds[id]);
}

bool Lowering::is_speculatable(ExprId id) const {
  const sema::Expr& node = item_[id];
  if (!node.type.is_scalar()) return false;
  if (node.constant || std::holds_alternative<sema::LocalExpr>(node.node) || std::holds_alternative<sema::CtxExpr>(node.node))
    return true;
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&node.node)) return is_speculatable(unary->operand);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node.node)) return is_speculatable(convert->operand);
  if (const auto* logical = std::get_if<sema::LogicalExpr>(&node.node))
    return is_speculatable(logical->left) && is_speculatable(logical->right);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node.node)) {
    const bool divides = binary->op == sema::BinaryOp::Div || binary->op == sema::BinaryOp::Rem;
    if (divides && !is_float(node.type.element) && !item_[binary->right].constant) return false;
    return is_speculatable(binary->left) && is_speculatable(binary->right);
  }
  return false;
}

// To another element type; the shape stays.
ValueId Lowering::convert(ValueId value, ScalarType element) {
  ir::Type type = kernel_.type(value);
  if (type.element == element) return value;
  type.element = element;
  if (element != ScalarType::Bool) return emit(Opcode::Convert, std::move(type), {value});
  const ValueId nothing = zero(kernel_.type(value));
  return emit(Opcode::CmpNe, std::move(type), {value, nothing});
}

}  // namespace phobos::lower
