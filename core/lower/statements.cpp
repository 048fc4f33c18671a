#include "lowering.h"

#include <utility>

namespace phobos::lower {

bool Lowering::block(const sema::Block& block) {
  for (const StmtId id : block)
    if (!statement(id)) return false;
  return true;
}

bool Lowering::statement(StmtId id) {
  const sema::Stmt& stmt = item_[id];
  const StmtId outer = std::exchange(stmt_, id);
  place_span(stmt.location);
  struct Visitor {
    Lowering& self;
    const sema::Stmt& stmt;
    bool operator()(const sema::Declare& node) const {
      self.bind(node.local, node.init);
      self.place_span(stmt.location);
      if (node.init) self.step_of(node.local);
      else self.step(ir::Note::Form::Call);
      return true;
    }
    bool operator()(const sema::Assign& node) const {
      const ValueId value = self.expr(node.value);
      self.place_span(stmt.location);
      self.assign(node.target, value);
      self.step_of(node.target);
      return true;
    }
    bool operator()(const sema::PointStore& node) const { return self.point_store(node), true; }
    bool operator()(const sema::SliceStore& node) const { return self.slice_store(node), true; }
    bool operator()(const sema::For& node) const { return self.for_statement(node), true; }
    bool operator()(const sema::While& node) const { return self.while_statement(node), true; }
    bool operator()(const sema::If& node) const { return self.if_statement(node); }
    bool operator()(const sema::Break&) const {
      self.step(ir::Note::Form::Leave, {"break"});
      return self.leave_loop(Opcode::Break);
    }
    bool operator()(const sema::Continue&) const {
      self.step(ir::Note::Form::Leave, {"continue"});
      return self.leave_loop(Opcode::Continue);
    }
    bool operator()(const sema::Return& node) const { return self.return_from(node); }
    bool operator()(const sema::Evaluate& node) const {
      // A name that stands alone does nothing; a tile's would be read by the whole CTA, which may not be there.
      if (!std::holds_alternative<sema::LocalExpr>(self.item_[self.under_flat(node.expr)].node)) self.expr(node.expr);
      self.place_span(stmt.location);
      self.step_of(node);
      return true;
    }
  };
  const bool goes_on = std::visit(Visitor{*this, stmt}, stmt.node);
  stmt_ = outer;
  return goes_on;
}

// Gives a local its first value: a declaration, or an argument of an inlined call.
void Lowering::bind(LocalId id, ExprId init) {
  const sema::Local& local = item_[id];
  if (local.type.is_tensor()) {
    env_[id] = expr(init);
    return;
  }
  const ir::Type type = type_of(local.type);
  if (!in_memory_[id.value]) {
    env_[id] = init ? shaped(expr(init), type) : zero(type);
    if (!init) kernel_[kernel_[env_[id]].op].immediate = 1;  // nobody has written it
    name(env_[id], local.name);
    return;
  }
  // An argument that is only read, and that is a buffer already, needs no copy: nothing can store to it during the call.
  const auto* source = init ? std::get_if<sema::LocalExpr>(&item_[init].node) : nullptr;
  if (local.is_argument && source && in_memory_[source->local.value] && !part_stored_[id.value]) {
    env_[id] = env_[source->local];
    return;
  }
  const bool fills = init && fills_memory(init);
  const ValueId value = init && !fills ? shaped(expr(init), type) : ValueId();
  place_span(local.declared);
  env_[id] = emit(Opcode::Alloc, ir::Type::buffer(type.element, type.shape, ir::Type::Space::Shared), {});
  name(env_[id], local.name);
  if (value) store_whole(env_[id], value);
  if (fills) fill(env_[id], init, std::get<sema::BuiltinCall>(item_[init].node));
}

void Lowering::assign(LocalId id, ValueId value) {
  const sema::Local& local = item_[id];
  value = shaped(value, type_of(local.type));
  if (in_memory_[id.value]) {
    store_whole(env_[id], value);
    return;
  }
  env_[id] = value;
  name(value, local.name);
}

void Lowering::point_store(const sema::PointStore& node) {
  const ir::Builder::Where where = builder_.where();
  const ValueId buffer = env_[node.target];
  const ir::Type element = ir::Type::scalar(kernel_.type(buffer).element);
  const Values indices = exprs(node.indices);
  ValueId value = expr(node.value);
  builder_.set_where(where);
  Values at = {buffer};
  at.insert(at.end(), indices.begin(), indices.end());
  if (node.op) {
    mark(buffer, true, false);
    const ValueId old = convert(emit(Opcode::Load, element, at), node.compute);
    value = apply(*node.op, old, shaped(value, ir::Type::scalar(node.compute)));
  }
  value = shaped(value, element);
  at.insert(at.begin() + 1, value);
  mark(buffer, false, true);
  builder_.op(Opcode::Store, at);
  if (!tracing()) return;
  std::vector<std::string> subscripts;
  for (const ExprId index : node.indices) subscripts.push_back(label(item_[index].location));
  step_of_store(node.target, std::move(subscripts), std::move(at));
}

void Lowering::slice_store(const sema::SliceStore& node) {
  const ir::Builder::Where where = builder_.where();
  const Place at = place(env_[node.target], node.axes);
  ValueId value = expr(node.value);
  builder_.set_where(where);
  ir::Shape shape;
  for (const sema::Axis& axis : node.axes) shape.push_back(extent_of(axis.length));
  for (const std::int64_t extent : shape)
    if (ir::is_dynamic(extent)) throw NotYet{"a store to a slice whose extent is known only at launch"};
  const ir::Type type = ir::Type::tile(kernel_.type(at.buffer).element, shape);
  Values operands = {at.buffer};
  operands.insert(operands.end(), at.indices.begin(), at.indices.end());
  if (node.op) {
    mark(at.buffer, true, false);
    const ValueId old = convert(emit(Opcode::TileLoad, type, operands), node.compute);
    value = apply(*node.op, old, shaped(value, ir::Type::tile(node.compute, shape)));
  }
  operands.insert(operands.begin() + 1, shaped(value, type));
  mark(at.buffer, false, true);
  builder_.op(Opcode::TileStore, operands);
  if (!tracing()) return;
  std::vector<std::string> subscripts;
  for (const sema::Axis& axis : node.axes)
    subscripts.push_back(axis.form == sema::Axis::Form::Full ? ":" : label({axis.span, item_[stmt_].location.origin}));
  step_of_store(node.target, std::move(subscripts), std::move(operands));
}

// Of the kernel, or of the call whose scope is open; a call without a scope takes its value from its last statement itself.
bool Lowering::return_from(const sema::Return& node) {
  if (calls_.empty()) {
    step(ir::Note::Form::Leave, {"return"});
    builder_.op(Opcode::Return, {});
    return false;
  }
  Values values;
  const sema::Type& type = item_[calls_.back()].type;
  if (node.value && !type.is_void()) values.push_back(shaped(expr(node.value), type_of(type)));
  place_span(item_[stmt_].location);
  step(ir::Note::Form::Leave, {"return"}, values);
  builder_.op(Opcode::Leave, std::move(values));
  return false;
}

}  // namespace phobos::lower
