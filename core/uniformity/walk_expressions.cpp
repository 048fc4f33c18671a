#include "walker.h"

namespace phobos::uniformity {

using builtins::Form;
using builtins::Needs;

ExprId without_implied(const CheckedItem& item, ExprId id) {
  while (id.valid()) {
    const auto* convert = std::get_if<sema::ConvertExpr>(&item[id].node);
    if (!convert || convert->written || item[convert->operand].type.form != item[id].type.form) break;
    id = convert->operand;
  }
  return id;
}

// `flat(t)` is `t` under another shape.
LocalId Walker::buffer_of(ExprId id) const {
  if (!id.valid()) return LocalId();
  if (const auto* local = std::get_if<sema::LocalExpr>(&item_[id].node))
    return item_[id].type.is_buffer() ? root(local->local) : LocalId();
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[id].node);
  if (call && builtins::row(call->id).form == Form::Flat && !call->arguments.empty()) return buffer_of(call->arguments[0]);
  return LocalId();
}

void Walker::expr(ExprId id, Control control, Place place) {
  if (!id.valid() || item_[id].constant) return;
  std::visit([&](const auto& node) { at(node, id, control, place); }, item_[id].node);
}

void Walker::operand(std::uint32_t op, ExprId id, Control control, Place place) {
  if (!id.valid() || item_[id].constant) return;
  facts_.operands.push_back({op, id});
  expr(id, control, place.apart());
}

void Walker::at(const sema::LocalExpr& node, ExprId id, Control, Place place) {
  const sema::Type& type = item_[id].type;
  if (type.is_tile())
    read(root(node.local), place.outer);
  else if (!type.is_tensor())
    facts_.graph.add(facts_.node(node.local), facts_.node(id));
}

void Walker::at(const sema::CtxExpr& node, ExprId id, Control, Place) {
  const Kind kind = builtins::row(node.field).kind;
  if (node.field == builtins::CtxField::Block) facts_.between_ctas.push_back({no_node, facts_.node(id), Why::CtxField, id.value});
  if (kind == Kind::Uniform) return;
  facts_.graph.add_source(facts_.node(id), kind, Why::CtxField, id.value);
  if (generating_ != nothing) facts_.operands.push_back({generating_, id});
}

// On tiles a whole chain of these is one sweep, named by its outermost step.
void Walker::elementwise(ExprId id, const ExprId* operands, std::size_t count, Control control, Place place) {
  if (!item_[id].type.is_tile()) {
    for (std::size_t i = 0; i < count; ++i) {
      expr(operands[i], control, place.apart());
      facts_.graph.add(facts_.node(operands[i]), facts_.node(id));
    }
    return;
  }
  const std::uint32_t sweep = place.sweep != nothing ? place.sweep : op(Op::Form::Sweep, Op::Needs::Cta, id, control);
  const Place inside = place.step_of(sweep);
  for (std::size_t i = 0; i < count; ++i) {
    if (item_[operands[i]].type.is_tile())
      expr(operands[i], control, inside);
    else
      operand(sweep, operands[i], control, inside);
  }
}

void Walker::at(const sema::UnaryExpr& node, ExprId id, Control control, Place place) {
  elementwise(id, &node.operand, 1, control, place);
}

void Walker::at(const sema::BinaryExpr& node, ExprId id, Control control, Place place) {
  const ExprId operands[] = {node.left, node.right};
  elementwise(id, operands, 2, control, place);
}

void Walker::at(const sema::LogicalExpr& node, ExprId id, Control control, Place place) {
  expr(node.left, control, place.apart());
  const Control right = derive(control);
  feed(right, node.left, Why::LeftOperand, id.value);
  const std::uint32_t branch = emit(Event::Form::Branch);
  expr(node.right, right, place.apart());
  facts_.events[branch].target = here();
  facts_.graph.add(facts_.node(node.left), facts_.node(id));
  facts_.graph.add(facts_.node(node.right), facts_.node(id));
}

void Walker::at(const sema::ConvertExpr& node, ExprId id, Control control, Place place) {
  const bool from_tile = item_[node.operand].type.is_tile();
  if (!item_[id].type.is_tile() || (from_tile && node.written)) return elementwise(id, &node.operand, 1, control, place);
  if (from_tile) return expr(node.operand, control, place);
  const std::uint32_t fill = place.sweep != nothing ? place.sweep : op(Op::Form::Fill, Op::Needs::Cta, id, control);
  operand(fill, node.operand, control, place.inside(fill));
}

void Walker::at(const sema::PointLoad& node, ExprId id, Control control, Place place) {
  if (!buffer_of(node.base).valid()) expr(node.base, control, place.apart());
  own_read(buffer_of(node.base));
  for (ExprId index : node.indices) {
    expr(index, control, place.apart());
    facts_.graph.add(facts_.node(index), facts_.node(id), Why::Loaded, id.value);
  }
}

void Walker::at(const sema::SliceLoad& node, ExprId id, Control control, Place place) {
  const LocalId buffer = buffer_of(node.base);
  if (!item_[id].type.is_tile()) {
    if (!buffer.valid()) expr(node.base, control, place.apart());
    own_read(buffer);
    for (const sema::Axis& axis : node.axes) {
      if (!axis.start.valid()) continue;
      expr(axis.start, control, place.apart());
      facts_.graph.add(facts_.node(axis.start), facts_.node(id), Why::Loaded, id.value);
    }
    return;
  }
  const std::uint32_t copy = op(Op::Form::Copy, Op::Needs::Cta, id, control);
  const Place inside = place.inside(copy);
  for (const sema::Axis& axis : node.axes) operand(copy, axis.start, control, inside);
  if (buffer.valid())
    read(buffer, inside.outer);
  else
    expr(node.base, control, inside);
}

void Walker::at(const sema::BuiltinCall& call, ExprId id, Control control, Place place) {
  switch (builtins::row(call.id).form) {
    case Form::Math1:
    case Form::Math2:
    case Form::Where:
    case Form::Convert: return elementwise(id, call.arguments.data(), call.arguments.size(), control, place);
    case Form::Fold:
    case Form::Shuffle: return collective(call, id, control, place);
    case Form::Elem:
    case Form::Store: return own_access(call, id, control, place);
    case Form::Generate: return generate(call, id, control, place);
    default: return whole(call, id, control, place);
  }
}

void Walker::collective(const sema::BuiltinCall& call, ExprId id, Control control, Place place) {
  using Fold = syntax::Fold::Form;
  const Fold fold = call.fold ? call.fold->form : Fold::Error;
  if (call.fold && fold != Fold::Error)
    op(Op::Form::Builtin, fold == Fold::OverThread ? Op::Needs::Threads : Op::Needs::Warp, id, control);
  if (fold == Fold::OverLane) facts_.graph.add_source(facts_.node(id), Kind::WarpUniform, Why::LaneCollective, id.value);
  const bool hands_on = fold != Fold::OverLane && fold != Fold::OverThread;
  auto take = [&](ExprId operand) {
    if (!operand.valid()) return;
    expr(operand, control, place.apart());
    if (hands_on && !item_[operand].type.is_buffer()) facts_.graph.add(facts_.node(operand), facts_.node(id));
  };
  for (ExprId argument : call.arguments) take(argument);
  if (call.fold) take(call.fold->operand);
}

// elem and store: the first argument names the buffer.
void Walker::own_access(const sema::BuiltinCall& call, ExprId id, Control control, Place place) {
  if (call.arguments.empty()) return;
  const LocalId buffer = buffer_of(call.arguments[0]);
  if (!buffer.valid()) expr(call.arguments[0], control, place.apart());
  own_read(buffer);
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    expr(call.arguments[i], control, place.apart());
    facts_.graph.add(facts_.node(call.arguments[i]), facts_.node(id), Why::Loaded, id.value);
  }
  if (builtins::row(call.id).form != Form::Store || !buffer.valid()) return;
  emit(Event::Form::Store, static_cast<std::uint32_t>(facts_.stores.size()));
  facts_.stores.push_back({buffer, stmt_, id, control.whole});
}

static bool reads_its_buffers(Form form) {
  switch (form) {
    case Form::Barrier:
    case Form::GridBarrier:
    case Form::StoreRelease:
    case Form::Word:
    case Form::Extent: return false;
    default: return true;
  }
}

// Operations of the whole CTA, and the scalar helpers that are left.
void Walker::whole(const sema::BuiltinCall& call, ExprId id, Control control, Place place) {
  const builtins::Row& row = builtins::row(call.id);
  if (row.form == Form::Atomic) facts_.between_ctas.push_back({no_node, facts_.node(id), Why::OldValue, id.value});
  const bool cta = row.needs == Needs::Cta || (row.needs == Needs::CtaIfTile && item_[id].type.is_tile());
  const std::uint32_t self = cta ? op(Op::Form::Builtin, Op::Needs::Cta, id, control) : nothing;
  const Place inside = cta ? place.inside(self) : place.apart();
  for (ExprId argument : call.arguments) {
    if (!argument.valid()) continue;
    const LocalId buffer = buffer_of(argument);
    if (buffer.valid()) {
      // A view is read by whoever reads through it.
      if (row.form == Form::Flat)
        read(buffer, place.outer);
      else if (cta && reads_its_buffers(row.form))
        read(buffer, inside.outer);
      else if (row.form == Form::Word)
        own_read(buffer);
    } else if (item_[argument].type.is_tile()) {
      expr(argument, control, inside);
    } else if (cta) {
      operand(self, argument, control, inside);
    } else {
      expr(argument, control, inside);
      facts_.graph.add(facts_.node(argument), facts_.node(id), row.form == Form::Word ? Why::Loaded : Why::Plain, id.value);
    }
  }
  if (row.form == Form::Barrier || row.form == Form::GridBarrier) emit(Event::Form::Barrier);
}

void Walker::bind(LocalId local, ExprId argument, Control control, Place place) {
  const LocalId buffer = buffer_of(argument);
  if (buffer.valid()) {
    root_[local] = buffer;
    return;
  }
  const bool tile = item_[local].type.is_tile();
  if (tile && place.outer == nothing)
    tile_value(argument, control);  // a name that is converted is made anew here, by the CTA
  else
    expr(argument, control, place.apart());
  if (tile)
    emit(Event::Form::Fresh, local.value);
  else
    facts_.graph.add(facts_.node(argument), facts_.node(local), Why::Argument, argument.value);
}

void Walker::at(const sema::InlinedCall& call, ExprId id, Control control, Place place) {
  if (id != element_)
    for (auto [local, argument] : call.bindings)
      if (argument.valid()) bind(local, argument, control, place);
  body(call, id, control);
}

void Walker::body(const sema::InlinedCall& call, ExprId id, Control control) {
  facts_.calls.push_back({id, stmt_, call_});
  const std::uint32_t outer_call = call_;
  const StmtId outer_stmt = stmt_;
  const std::size_t first_exit = exits_.size();
  call_ = static_cast<std::uint32_t>(facts_.calls.size() - 1);
  frames_.push_back({id, {}, {}});
  block(*call.body, {control.whole, no_node});
  land(frames_.back().returns);
  frames_.pop_back();
  exits_.resize(first_exit);
  call_ = outer_call;
  stmt_ = outer_stmt;
}

// A thread's own read. In an element of a `generate` it is a part of that operation of the whole CTA.
void Walker::own_read(LocalId buffer) {
  if (generating_ != nothing) read(buffer, generating_);
}

// What the call binds is taken once, by the CTA; the element is then computed in one thread or another, so that all control in it
// differs, and so do the indices.
void Walker::generate(const sema::BuiltinCall& call, ExprId id, Control control, Place place) {
  const std::uint32_t self = op(Op::Form::Builtin, Op::Needs::Cta, id, control);
  const ExprId element = item_.element_call(call);
  for (auto [local, argument] : std::get<sema::InlinedCall>(item_[element].node).bindings) {
    if (item_[local].type.is_tile()) {
      bind(local, argument, control, place.inside(self));
      continue;
    }
    operand(self, argument, control, place.inside(self));
    facts_.graph.add(facts_.node(argument), facts_.node(local), Why::Argument, argument.value);
  }
  for (LocalId index : *call.indices) facts_.graph.add_source(facts_.node(index), Kind::Varying, Why::Element, id.value);
  const Control one = derive(control);
  for (Node node : {one.whole, one.inner})
    if (node != no_node) facts_.graph.add_source(node, Kind::Varying, Why::Element, id.value);
  const std::uint32_t outer = std::exchange(generating_, generating_ == nothing ? self : generating_);
  const ExprId outer_element = std::exchange(element_, element);
  expr(call.arguments[0], one, place.inside(self));
  element_ = outer_element;
  generating_ = outer;
}

}  // namespace phobos::uniformity
