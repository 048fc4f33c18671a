// A generated tile (language.md, 10.2). Where an element is a straight line of elementwise steps, all elements are computed at
// once: the index locals are bound to `iota`s, and each step that meets a tile becomes a step on tiles. So the tile is a value like
// any other, computed where it is read.
//
// Where the body branches, loops, or loads at the indices, the threads share the elements out among them and put them into
// memory of the CTA:
//
//   for e in range(ctx.thread, R * C, ctx.threads) { buffer[e] = f(e / C, e % C, …) }
//   barrier()
#include "lowering.h"

#include <algorithm>

namespace phobos::lower {

bool Lowering::lifts(ExprId id) const {
  const sema::Expr& node = item_[id];
  if (!node.type.is_scalar()) return false;
  if (node.constant || kinds_.expr_kinds[id] == Kind::Uniform) return true;
  const auto all = [&](const std::vector<ExprId>& ids) { return std::all_of(ids.begin(), ids.end(), [&](ExprId each) { return lifts(each); }); };
  if (std::holds_alternative<sema::LocalExpr>(node.node)) return true;
  if (const auto* unary = std::get_if<sema::UnaryExpr>(&node.node)) return lifts(unary->operand);
  if (const auto* binary = std::get_if<sema::BinaryExpr>(&node.node)) return lifts(binary->left) && lifts(binary->right);
  if (const auto* convert = std::get_if<sema::ConvertExpr>(&node.node)) return lifts(convert->operand);
  if (const auto* logical = std::get_if<sema::LogicalExpr>(&node.node))
    return is_speculatable(logical->right) && lifts(logical->left) && lifts(logical->right);
  if (const auto* call = std::get_if<sema::BuiltinCall>(&node.node)) {
    using builtins::Form;
    const Form form = builtins::row(call->id).form;
    return (form == Form::Math1 || form == Form::Math2 || form == Form::Where || form == Form::Convert) && all(call->arguments);
  }
  const auto* call = std::get_if<sema::InlinedCall>(&node.node);
  return call && lifts(*call) && std::all_of(call->bindings.begin(), call->bindings.end(), [&](const auto& binding) {
           return item_[binding.first].type.is_tile() || lifts(binding.second);
         });
}

// A straight line that ends in its value.
bool Lowering::lifts(const sema::InlinedCall& call) const {
  for (const StmtId id : *call.body) {
    const auto& node = item_[id].node;
    if (const auto* result = std::get_if<sema::Return>(&node)) return result->value && lifts(result->value);
    const auto* declare = std::get_if<sema::Declare>(&node);
    const auto* assign = std::get_if<sema::Assign>(&node);
    const auto* evaluate = std::get_if<sema::Evaluate>(&node);
    const ExprId value = declare ? declare->init : assign ? assign->value : evaluate ? evaluate->expr : ExprId();
    if (!value || !lifts(value)) return false;
  }
  return false;
}

bool Lowering::fills_memory(ExprId id) const {
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[id].node);
  if (!call || call->id != builtins::Builtin::Generate) return false;
  return !lifts(std::get<sema::InlinedCall>(item_[item_.element_call(*call)].node));
}

ValueId Lowering::generate(ExprId id, const sema::BuiltinCall& node) {
  const ir::Type type = type_of(item_[id].type);
  if (fills_memory(id)) {
    place_span(item_[id].location);
    const ValueId buffer = emit(Opcode::Alloc, ir::Type::buffer(type.element, type.shape, ir::Type::Space::Shared), {});
    fill(buffer, id, node);
    return load_whole(buffer);
  }
  bind_element(node);
  place_span(item_[id].location);
  for (std::size_t axis = 0; axis < node.indices->size(); ++axis) {
    const ValueId index = emit(Opcode::Iota, ir::Type::tile(ScalarType::I32, type.shape), {}, static_cast<std::int64_t>(axis));
    env_[(*node.indices)[axis]] = convert(index, item_[(*node.indices)[axis]].type.element);
  }
  const bool outer = std::exchange(lifting_, true);
  const ValueId value = element_of(node);
  lifting_ = outer;
  place_span(item_[id].location);
  return shaped(value, type);
}

// What the call takes behind the indices, once for all elements.
void Lowering::bind_element(const sema::BuiltinCall& node) {
  for (const auto& [local, argument] : std::get<sema::InlinedCall>(item_[item_.element_call(node)].node).bindings) bind(local, argument);
}

ValueId Lowering::element_of(const sema::BuiltinCall& node) {
  const ExprId outer = std::exchange(element_, item_.element_call(node));
  const ValueId value = expr(node.arguments[0]);
  element_ = outer;
  return value;
}

void Lowering::fill(ValueId buffer, ExprId id, const sema::BuiltinCall& node) {
  const ir::Type index = ir::Type::scalar(ScalarType::Index);
  const ir::Type type = kernel_.type(buffer);
  bind_element(node);
  place_span(item_[id].location);
  const ValueId first = builder_.value(Opcode::Ctx, index, Kind::Varying, {}, static_cast<std::int64_t>(ir::CtxValue::Thread));
  const ir::OpId loop = builder_.op(Opcode::For, {first, index_constant(ir::element_count(type.shape)), index_constant(kernel_.threads)});
  const ir::RegionId outer = builder_.region();
  const ir::RegionId body = builder_.new_region();
  kernel_[loop].regions = {body};
  const auto before = env_;
  builder_.set_region(body);
  const ValueId at = builder_.add_argument(body, index, Kind::Varying, "element");
  ValueId rest = at;
  for (std::size_t axis = type.shape.size(); axis-- > 0;) {
    const ValueId extent = index_constant(type.shape[axis]);
    const ValueId position = axis == 0 ? rest : emit(Opcode::Rem, index, {rest, extent});
    if (axis > 0) rest = emit(Opcode::Div, index, {rest, extent});
    env_[(*node.indices)[axis]] = convert(position, item_[(*node.indices)[axis]].type.element);
    name(env_[(*node.indices)[axis]], item_[(*node.indices)[axis]].name);
  }
  const bool lifted = std::exchange(lifting_, false);
  const ValueId value = convert(element_of(node), type.element);
  lifting_ = lifted;
  place_span(item_[id].location);
  builder_.op(Opcode::ElemStore, {buffer, value, at});
  builder_.op(Opcode::Yield, {});
  builder_.set_region(outer);
  env_ = before;
  builder_.op(Opcode::Barrier, {});
}

}  // namespace phobos::lower
