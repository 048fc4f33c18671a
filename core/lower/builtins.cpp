#include "lowering.h"

#include <fmt/format.h>

namespace phobos::lower {

using builtins::Builtin;

ValueId Lowering::builtin(ExprId id, const sema::BuiltinCall& node) {
  using builtins::Form;
  const auto unary = [&](Opcode code, std::int64_t immediate = 0) {
    return emit_as(id, code, {expr(node.arguments[0])}, immediate);
  };
  switch (builtins::row(node.id).form) {
    case Form::Math1:
    case Form::Math2: return math(id, node);
    case Form::Where: return elementwise(id, Opcode::Select, node.arguments);
    case Form::Convert: {
      const ValueId operand = expr(node.arguments[0]);
      place_span(item_[id].location);
      return shaped(operand, type_of(item_[id].type));
    }
    case Form::Dot: return dot(id, node, {});
    case Form::RowFold: {
      const ir::FoldOp op = node.id == Builtin::RowSum   ? ir::FoldOp::Sum
                            : node.id == Builtin::RowMax ? ir::FoldOp::Max
                                                         : ir::FoldOp::Min;
      return unary(Opcode::RowFold, static_cast<std::int64_t>(op));
    }
    case Form::RowArg: return unary(Opcode::RowArgMax);
    case Form::Scan: return unary(Opcode::CumSum);
    case Form::Tril: return unary(Opcode::Tril);
    case Form::Transpose: return unary(Opcode::Transpose);
    case Form::Flat: return unary(Opcode::Reshape);
    case Form::Iota: return emit_as(id, Opcode::Iota, {}, node.axis);
    case Form::Fold: return fold(id, node);
    case Form::Shuffle: return shuffle(id, node);
    case Form::Elem: return elem(id, node);
    case Form::Store: return elem_store(id, node), ValueId();
    case Form::Quantised: return quantised(id, node);
    case Form::Extent: break;  // the checker made it a number or a dimension
    case Form::Barrier:
    case Form::GridBarrier:
    case Form::Atomic:
    case Form::LoadAcquire:
    case Form::StoreRelease: return synchronise(id, node);
    case Form::Word:
    case Form::BytePerm:
    case Form::PopCount:
    case Form::Dp4a:
    case Form::F16Bits: return bytes(id, node);
    case Form::Generate: return generate(id, node);
    case Form::Print: return print(id, node), ValueId();
  }
  throw NotYet{fmt::format("`{}`", builtins::row(node.id).name)};
}

ValueId Lowering::math(ExprId id, const sema::BuiltinCall& node) {
  const auto code = [&] {
    switch (node.id) {
      case Builtin::Exp: return Opcode::Exp;
      case Builtin::Log: return Opcode::Log;
      case Builtin::Sqrt: return Opcode::Sqrt;
      case Builtin::Rsqrt: return Opcode::Rsqrt;
      case Builtin::Tanh: return Opcode::Tanh;
      case Builtin::Sin: return Opcode::Sin;
      case Builtin::Cos: return Opcode::Cos;
      case Builtin::Abs: return Opcode::Abs;
      case Builtin::Floor: return Opcode::Floor;
      case Builtin::Ceil: return Opcode::Ceil;
      case Builtin::Round: return Opcode::Round;
      case Builtin::Pow: return Opcode::Pow;
      case Builtin::TMax: return Opcode::Max;
      case Builtin::TMin: return Opcode::Min;
      default: throw NotYet{fmt::format("`{}`", builtins::row(node.id).name)};
    }
  }();
  return elementwise(id, code, node.arguments);
}

// --- collectives, shuffles, a thread's own runs -----------------------------------------------------------------------------

ValueId Lowering::fold(ExprId id, const sema::BuiltinCall& node) {
  const ir::FoldOp op = node.id == Builtin::Sum   ? ir::FoldOp::Sum
                        : node.id == Builtin::Max ? ir::FoldOp::Max
                        : node.id == Builtin::Min ? ir::FoldOp::Min
                        : node.id == Builtin::Any ? ir::FoldOp::Any
                                                  : ir::FoldOp::All;
  const ScalarType element = item_[id].type.element;
  if (!node.fold) return emit_as(id, Opcode::RunFold, {widened(node.arguments[0], element)}, static_cast<std::int64_t>(op));
  const ir::Scope scope = node.fold->form == syntax::Fold::Form::OverLane ? ir::Scope::Lane : ir::Scope::Thread;
  const ValueId value = convert(expr(node.arguments[0]), element);
  return emit_as(id, Opcode::Collective, {value}, ir::collective_immediate(op, scope));
}

// A run in a wider element type: of a product the factors are widened, so that it cannot overflow.
ValueId Lowering::widened(ExprId id, ScalarType element) {
  const auto* product = std::get_if<sema::BinaryExpr>(&item_[id].node);
  if (item_[id].type.element == element || !product || product->op != sema::BinaryOp::Mul) return convert(expr(id), element);
  ir::Type type = type_of(item_[id].type);
  type.element = element;
  const ValueId left = shaped(expr(product->left), type);
  const ValueId right = shaped(expr(product->right), type);
  place_span(item_[id].location);
  return emit(Opcode::Mul, type, {left, right});
}

ValueId Lowering::shuffle(ExprId id, const sema::BuiltinCall& node) {
  using Form = syntax::Fold::Form;
  const ir::ShuffleMode mode = node.fold->form == Form::Xor    ? ir::ShuffleMode::Xor
                               : node.fold->form == Form::Up   ? ir::ShuffleMode::Up
                               : node.fold->form == Form::Down ? ir::ShuffleMode::Down
                                                               : ir::ShuffleMode::From;
  const ValueId value = expr(node.arguments[0]);
  const ValueId lane = expr(node.fold->operand);
  return emit_as(id, Opcode::Shuffle, {value, lane}, static_cast<std::int64_t>(mode));
}

ValueId Lowering::elem(ExprId id, const sema::BuiltinCall& node) {
  const ValueId buffer = buffer_of(under_flat(node.arguments[0]));
  mark(buffer, true, false);
  const ValueId at = expr(node.arguments[1]);
  return emit_as(id, Opcode::ElemLoad, {buffer, at});
}

void Lowering::elem_store(ExprId id, const sema::BuiltinCall& node) {
  const ValueId buffer = buffer_of(under_flat(node.arguments[0]));
  mark(buffer, false, true);
  const ValueId at = expr(node.arguments[1]);
  const ValueId value = convert(expr(node.arguments[2]), kernel_.type(buffer).element);
  place_span(item_[id].location);
  builder_.op(Opcode::ElemStore, {buffer, value, at});
  if (tracing())
    step(ir::Note::Form::Stored, {label(label(item_[node.arguments[0]].location), {label(item_[node.arguments[1]].location)})}, {buffer, value, at});
}

// --- once per CTA -----------------------------------------------------------------------------------------------------------

ValueId Lowering::synchronise(ExprId id, const sema::BuiltinCall& node) {
  Values operands;
  if (!node.arguments.empty()) operands.push_back(buffer_of(node.arguments[0]));
  for (std::size_t i = 1; i < node.arguments.size(); ++i) {
    const ValueId operand = expr(node.arguments[i]);
    operands.push_back(i == 1 ? operand : convert(operand, kernel_.type(operands[0]).element));
  }
  if (!operands.empty()) mark(operands[0], node.id != Builtin::StoreRelease, node.id != Builtin::LoadAcquire);
  place_span(item_[id].location);
  const auto changed = [&] {
    if (!tracing()) return;
    step(ir::Note::Form::Changed, {label(label(item_[node.arguments[0]].location), {label(item_[node.arguments[1]].location)})}, {operands[0], operands[1]});
  };
  const auto atomic = [&](ir::AtomicOp op) {
    const ValueId old = emit_as(id, Opcode::Atomic, operands, static_cast<std::int64_t>(op));
    changed();
    return old;
  };
  switch (node.id) {
    case Builtin::Barrier: builder_.op(Opcode::Barrier, {}); return {};
    case Builtin::GridBarrier: builder_.op(Opcode::GridBarrier, std::move(operands)); return {};
    case Builtin::StoreRelease:
      builder_.op(Opcode::StoreRelease, operands);
      changed();
      return {};
    case Builtin::LoadAcquire: return emit_as(id, Opcode::LoadAcquire, std::move(operands));
    case Builtin::AtomicAdd: return atomic(ir::AtomicOp::Add);
    case Builtin::AtomicMax: return atomic(ir::AtomicOp::Max);
    case Builtin::AtomicMin: return atomic(ir::AtomicOp::Min);
    case Builtin::AtomicExch: return atomic(ir::AtomicOp::Exchange);
    default:
      std::swap(operands[2], operands[3]);  // the source gives what is compared first
      return atomic(ir::AtomicOp::CompareExchange);
  }
}

}  // namespace phobos::lower
