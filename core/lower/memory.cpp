#include "lowering.h"

namespace phobos::lower {

// The tile that `flat(flat(t))` views.
ExprId Lowering::under_flat(ExprId id) const {
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[id].node);
  return call && call->id == builtins::Builtin::Flat ? under_flat(call->arguments[0]) : id;
}

void Lowering::note_base(ExprId base) {
  const auto* local = std::get_if<sema::LocalExpr>(&item_[under_flat(base)].node);
  if (local && item_[local->local].type.is_tile()) in_memory_[local->local.value] = true;
}

// Which tiles are accessed in part, and so live in memory.
void Lowering::find_memory() {
  in_memory_.assign(item_.locals.size(), false);
  part_stored_.assign(item_.locals.size(), false);
  const auto stored = [&](LocalId local) {
    part_stored_[local.value] = true;
    if (item_[local].type.is_tile()) in_memory_[local.value] = true;
  };
  for (std::size_t i = 0; i < item_.locals.size(); ++i) {
    const sema::Local& local = item_[LocalId(i)];
    if (local.type.is_tile() && local.subscripted) in_memory_[i] = true;
  }
  for (const sema::Expr& node : item_.exprs) {
    if (const auto* load = std::get_if<sema::PointLoad>(&node.node)) note_base(load->base);
    if (const auto* load = std::get_if<sema::SliceLoad>(&node.node)) note_base(load->base);
    const auto* call = std::get_if<sema::BuiltinCall>(&node.node);
    if (!call || call->arguments.empty()) continue;
    using builtins::Form;
    const Form form = builtins::row(call->id).form;
    if (form == Form::Elem || form == Form::Store || form == Form::Word) note_base(call->arguments[0]);
    const auto* target = std::get_if<sema::LocalExpr>(&item_[under_flat(call->arguments[0])].node);
    if (form == Form::Store && target) stored(target->local);
  }
  for (const sema::Stmt& stmt : item_.stmts) {
    if (const auto* store = std::get_if<sema::PointStore>(&stmt.node)) stored(store->target);
    if (const auto* store = std::get_if<sema::SliceStore>(&stmt.node)) stored(store->target);
  }
  note_printed();
  note_arguments();
}

// A tile that a function accesses in part is memory at the call too, so that the call needs no copy, which every thread would
// have to reach.
void Lowering::note_arguments() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const sema::Expr& node : item_.exprs) {
      const auto* call = std::get_if<sema::InlinedCall>(&node.node);
      if (!call) continue;
      for (const auto& [local, argument] : call->bindings) {
        const auto* source = std::get_if<sema::LocalExpr>(&item_[argument].node);
        if (!source || !item_[local].type.is_tile() || !in_memory_[local.value] || in_memory_[source->local.value]) continue;
        in_memory_[source->local.value] = changed = true;
      }
    }
  }
}

// The memory that an expression names; a tile value is put into memory of its own.
ValueId Lowering::buffer_of(ExprId base) {
  const auto* local = std::get_if<sema::LocalExpr>(&item_[base].node);
  if (local && (item_[local->local].type.is_tensor() || in_memory_[local->local.value])) return env_[local->local];
  const ValueId value = expr(base);
  place_span(item_[base].location);
  return materialise(value);
}

ValueId Lowering::materialise(ValueId tile) {
  const ir::Type type = kernel_.type(tile);
  const ValueId buffer = emit(Opcode::Alloc, ir::Type::buffer(type.element, type.shape, ir::Type::Space::Shared), {});
  store_whole(buffer, tile);
  return buffer;
}

Lowering::Values Lowering::whole_starts(int rank) {
  return Values(static_cast<std::size_t>(rank), index_constant(0));
}

ValueId Lowering::load_whole(ValueId buffer) {
  const ir::Type type = kernel_.type(buffer);
  Values operands = whole_starts(type.rank());
  operands.insert(operands.begin(), buffer);
  return emit(Opcode::TileLoad, ir::Type::tile(type.element, type.shape), std::move(operands));
}

void Lowering::store_whole(ValueId buffer, ValueId value) {
  Values operands = whole_starts(kernel_.type(buffer).rank());
  operands.insert(operands.begin(), {buffer, value});
  builder_.op(Opcode::TileStore, std::move(operands));
}

Lowering::Place Lowering::place(ValueId buffer, const std::vector<sema::Axis>& axes) {
  Place at{buffer, {}};
  for (const sema::Axis& axis : axes) at.indices.push_back(axis.start ? expr(axis.start) : index_constant(0));
  return at;
}

ValueId Lowering::point_load(ExprId id, const sema::PointLoad& node) {
  const ExprId under = under_flat(node.base);
  const ValueId buffer = buffer_of(under);
  mark(buffer, true, false);
  Values operands = exprs(node.indices);
  if (under == node.base) {
    operands.insert(operands.begin(), buffer);
    return emit_as(id, Opcode::Load, std::move(operands));
  }
  // flat(t)[0, e] is the element of `t` at row-major position `e`.
  return emit_as(id, Opcode::ElemLoad, {buffer, operands.back()});
}

ValueId Lowering::slice_load(ExprId id, const sema::SliceLoad& node) {
  const sema::Type& type = item_[id].type;
  const Place at = place(buffer_of(node.base), node.axes);
  mark(at.buffer, true, false);
  Values operands = {at.buffer};
  operands.insert(operands.end(), at.indices.begin(), at.indices.end());
  if (type.is_tile()) return emit_as(id, Opcode::TileLoad, std::move(operands));
  std::size_t along = node.axes.size() - 1;
  for (std::size_t i = 0; i < node.axes.size(); ++i)
    if (node.axes[i].length.constant.value_or(0) > 1) along = i;
  return emit_as(id, Opcode::RunLoad, std::move(operands), static_cast<std::int64_t>(along));
}

// Notes how the kernel uses a tensor.
void Lowering::mark(ValueId buffer, bool read, bool written) {
  const ir::Value& value = kernel_[buffer];
  if (value.type.space != ir::Type::Space::Global) return;
  ir::Parameter& parameter = kernel_.parameters[value.index];
  parameter.read |= read;
  parameter.written |= written;
}

// A length as a value: a constant, or the dimension bound at launch.
ValueId Lowering::extent_value(const sema::Extent& extent) {
  const std::int64_t known = extent_of(extent);
  return ir::is_dynamic(known) ? env_[item_.dimensions[ir::dimension_of(known)]] : index_constant(known);
}

}  // namespace phobos::lower
