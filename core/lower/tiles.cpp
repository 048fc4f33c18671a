#include "lowering.h"

namespace phobos::lower {

// A value as that type: its elements converted, a scalar spread, missing leading axes added, extents of 1 stretched.
ValueId Lowering::shaped(ValueId value, const ir::Type& target) {
  value = convert(value, target.element);
  if (kernel_.type(value) == target) return value;
  if (lifting_ && target.is_scalar()) return value;
  if (kernel_.type(value).is_scalar()) return emit(Opcode::Splat, target, {value});
  if (target.is_scalar() || target.is_run()) throw NotYet{"a tile where a thread's own value is wanted"};
  if (kernel_.type(value).rank() != target.rank()) {
    ir::Shape shape = kernel_.type(value).shape;
    while (static_cast<int>(shape.size()) > target.rank() && shape.front() == 1) shape.erase(shape.begin());
    if (static_cast<int>(shape.size()) > target.rank()) throw NotYet{"a value of higher rank than its place"};
    shape.insert(shape.begin(), static_cast<std::size_t>(target.rank()) - shape.size(), 1);
    value = emit(Opcode::Reshape, ir::Type::tile(target.element, std::move(shape)), {value});
  }
  return kernel_.type(value) == target ? value : emit(Opcode::Broadcast, target, {value});
}

ValueId Lowering::elementwise(ExprId id, Opcode code, const std::vector<ExprId>& operands) {
  return elementwise(id, code, exprs(operands));
}

// The expression's shape with each operand's own element type; `select` has a bool among its operands, the others agree.
ValueId Lowering::elementwise(ExprId id, Opcode code, Values operands) {
  const sema::Expr& node = item_[id];
  place_span(node.location);
  const ScalarType common = kernel_.type(operands.back()).element;
  ir::Type whole = type_of(node.type);
  for (const ValueId operand : operands)
    if (lifting_ && whole.is_scalar() && kernel_.type(operand).is_tile()) whole = ir::Type::tile(whole.element, kernel_.type(operand).shape);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ir::Type wanted = whole;
    wanted.element = code == Opcode::Select && i == 0 ? ScalarType::Bool : common;
    operands[i] = shaped(operands[i], wanted);
  }
  return whole.is_tile() ? emit(code, std::move(whole), std::move(operands)) : emit_as(id, code, std::move(operands));
}

// `acc + dot(a, b)` is one operation where the sum has the accumulator's type.
const sema::BuiltinCall* Lowering::as_dot(ExprId id, const sema::Type& type) const {
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[id].node);
  const bool is_dot = call && builtins::row(call->id).form == builtins::Form::Dot;
  return is_dot && item_[id].type == type ? call : nullptr;
}

ValueId Lowering::dot(ExprId id, const sema::BuiltinCall& node, ExprId addend) {
  const ir::Type type = type_of(item_[id].type);
  Values operands = exprs(node.arguments);
  if (addend) operands.push_back(shaped(expr(addend), type));
  return emit_as(id, Opcode::Dot, std::move(operands), node.id == builtins::Builtin::DotT ? 1 : 0);
}

// A slice as memory, without loading it; any other tile is put into memory first.
Lowering::Place Lowering::slice_of(ExprId id) {
  if (const auto* slice = std::get_if<sema::SliceLoad>(&item_[id].node)) {
    const Place at = place(buffer_of(slice->base), slice->axes);
    mark(at.buffer, true, false);
    return at;
  }
  const ValueId buffer = buffer_of(id);
  return {buffer, whole_starts(kernel_.type(buffer).rank())};
}

// Block-quantised products: K in steps of 32, each step's integer product scaled on both sides. K may be known at launch only, so
// the slices are never loaded whole.
ValueId Lowering::quantised(ExprId id, const sema::BuiltinCall& node) {
  const ir::Type type = type_of(item_[id].type);
  std::vector<Place> places;
  for (const ExprId argument : node.arguments) places.push_back(slice_of(argument));
  place_span(item_[id].location);
  const ir::Type index = ir::Type::scalar(ScalarType::Index);
  const sema::Extent& depth = item_[node.arguments[0]].type.shape[1];
  Values operands = {index_constant(0), extent_value(depth), index_constant(32), zero(type)};
  const ir::OpId op = builder_.op(Opcode::For, std::move(operands));
  const ir::RegionId outer = builder_.region();
  const ir::RegionId body = builder_.new_region();
  kernel_[op].regions = {body};
  builder_.set_region(body);
  const ValueId k = builder_.add_argument(body, index, Kind::Uniform, "k");
  const ValueId sum = builder_.add_argument(body, type, Kind::Uniform, "sum");
  const ValueId scaled = quantised_block(places, k, node.id == builtins::Builtin::QDotT, type);
  builder_.op(Opcode::Yield, {emit(Opcode::Add, type, {sum, scaled})});
  builder_.set_region(outer);
  return builder_.add_result(op, type, Kind::Uniform);
}

// `places`: a, its scales, w, its scales; `scales_by_row`: those of w are [N, K/32], else [K/32, N].
ValueId Lowering::quantised_block(const std::vector<Place>& places, ValueId k, bool scales_by_row, const ir::Type& type) {
  const ir::Type index = ir::Type::scalar(ScalarType::Index);
  const ValueId block = emit(Opcode::Div, index, {k, index_constant(32)});
  const auto load = [&](const Place& at, ScalarType element, ir::Shape shape, ValueId offset, std::size_t axis) {
    Values operands = {at.buffer};
    operands.insert(operands.end(), at.indices.begin(), at.indices.end());
    operands[axis + 1] = emit(Opcode::Add, index, {convert(operands[axis + 1], ScalarType::Index), offset});
    return emit(Opcode::TileLoad, ir::Type::tile(element, std::move(shape)), std::move(operands));
  };
  const std::int64_t rows = type.shape[0], columns = type.shape[1];
  const ValueId a = load(places[0], kernel_.type(places[0].buffer).element, {rows, 32}, k, 1);
  const ValueId w = load(places[2], kernel_.type(places[2].buffer).element, {columns, 32}, k, 1);
  const ValueId product = emit(Opcode::Dot, ir::Type::tile(ScalarType::I32, type.shape), {a, w}, 1);
  const ValueId a_scale = load(places[1], ScalarType::F32, {rows, 1}, block, 1);
  ValueId w_scale = load(places[3], ScalarType::F32, scales_by_row ? ir::Shape{columns, 1} : ir::Shape{1, columns}, block,
                         scales_by_row ? 1 : 0);
  if (scales_by_row) w_scale = emit(Opcode::Transpose, ir::Type::tile(ScalarType::F32, {1, columns}), {w_scale});
  const ValueId left = emit(Opcode::Mul, type, {convert(product, ScalarType::F32), shaped(a_scale, type)});
  return emit(Opcode::Mul, type, {left, shaped(w_scale, type)});
}

}  // namespace phobos::lower
