#include "walker.h"

namespace phobos::uniformity {

Facts walk(const CheckedItem& item, const std::stop_token& stop) {
  Facts facts(item);
  Walker(item, facts, stop).run();
  return facts;
}

void Walker::run() {
  frames_.emplace_back();
  block(item_.body, {});
  land(frames_.back().returns);
}

// --- control -------------------------------------------------------------------------------------------------------------

Walker::Control Walker::derive(Control from) {
  Control control{facts_.graph.add_node(), frames_.size() > 1 ? facts_.graph.add_node() : no_node};
  facts_.graph.add(from.whole, control.whole);
  facts_.graph.add(from.inner, control.inner);
  return control;
}

void Walker::feed(Control to, Control from, Why why, StmtId subject) {
  facts_.graph.add(from.whole, to.whole, why, subject.value);
  facts_.graph.add(from.inner, to.inner, why, subject.value);
}

void Walker::feed(Control to, ExprId from, Why why, std::uint32_t subject) {
  facts_.graph.add(facts_.node(from), to.whole, why, subject);
  facts_.graph.add(facts_.node(from), to.inner, why, subject);
}

// Control where some threads may have left by the exits seen since `first_exit`.
Walker::Control Walker::after(Control control, std::size_t first_exit) {
  bool changed = false;
  for (std::size_t i = first_exit; i < exits_.size(); ++i) {
    const Node left_under = exits_[i].control.whole;
    changed = changed || (left_under != no_node && left_under != control.whole);
  }
  if (!changed) return control;
  const Control rest = derive(control);
  for (std::size_t i = first_exit; i < exits_.size(); ++i) feed(rest, exits_[i].control, Why::Exit, exits_[i].stmt);
  return rest;
}

// A thread that broke out or returned is missing at the top of the next iteration; one that went on to it is back.
void Walker::leave_loop(Control body, std::size_t first_exit) {
  std::size_t kept = first_exit;
  for (std::size_t i = first_exit; i < exits_.size(); ++i) {
    if (exits_[i].form != Exit::Form::Continue) feed(body, exits_[i].control, Why::Exit, exits_[i].stmt);
    if (exits_[i].form == Exit::Form::Return) exits_[kept++] = exits_[i];
  }
  exits_.resize(kept);
}

// --- events --------------------------------------------------------------------------------------------------------------

std::uint32_t Walker::emit(Event::Form form, std::uint32_t subject, std::uint32_t target) {
  facts_.events.push_back({form, subject, target});
  return here() - 1;
}

void Walker::land(const std::vector<std::uint32_t>& jumps) {
  for (std::uint32_t jump : jumps) facts_.events[jump].target = here();
}

void Walker::read(LocalId buffer, std::uint32_t op) {
  if (!buffer.valid() || op == nothing) return;
  emit(Event::Form::Read, static_cast<std::uint32_t>(facts_.reads.size()));
  facts_.reads.push_back({buffer, op, stmt_});
}

std::uint32_t Walker::op(Op::Form form, Op::Needs needs, ExprId id, Control control) {
  facts_.ops.push_back({form, needs, stmt_, id, control.whole});
  return static_cast<std::uint32_t>(facts_.ops.size() - 1);
}

// --- statements ----------------------------------------------------------------------------------------------------------

void Walker::block(const sema::Block& statements, Control control) {
  for (StmtId id : statements) {
    if (stop_.stop_requested()) return;
    const std::size_t first_exit = exits_.size();
    statement(id, control);
    if (exits_.size() > first_exit) control = after(control, first_exit);
  }
}

void Walker::statement(StmtId id, Control control) {
  const StmtId around = stmt_;
  stmt_ = id;
  facts_.control[id] = control.whole;
  facts_.call[id] = call_;
  emit(Event::Form::Enter, id.value);
  std::visit([&](const auto& node) { at(node, id, control); }, item_[id].node);
  stmt_ = around;
}

// A tile that becomes the value of a variable or of a call: a plain name there is a copy, and so is a view of one.
void Walker::tile_value(ExprId value, Control control) {
  const ExprId source = without_implied(item_, value);
  const auto copy = static_cast<std::uint32_t>(facts_.ops.size());
  if (std::holds_alternative<sema::LocalExpr>(item_[source].node)) op(Op::Form::Copy, Op::Needs::Cta, source, control);
  else expr(value, control);
  read(buffer_of(source), copy);
}

void Walker::at(const sema::Declare& node, StmtId id, Control control) {
  const sema::Local& local = item_[node.local];
  if (node.init.valid() && local.type.is_tile()) {
    tile_value(node.init, control);
  } else if (node.init.valid()) {
    expr(node.init, control);
    const bool is_var = local.form == sema::Local::Form::Var;
    facts_.graph.add(facts_.node(node.init), facts_.node(node.local), is_var ? Why::Started : Why::Set, id.value);
  }
  if (local.type.is_tile()) emit(Event::Form::Fresh, node.local.value);
}

// `acc += dot(a, b)` is one operation, which reads `acc` as well.
bool Walker::accumulates(const sema::Assign& node, Control control) {
  const auto* sum = std::get_if<sema::BinaryExpr>(&item_[node.value].node);
  if (!node.compound || !sum || sum->op != sema::BinaryOp::Add) return false;
  const ExprId product = without_implied(item_, sum->right);
  const auto* call = std::get_if<sema::BuiltinCall>(&item_[product].node);
  if (!call) return false;
  const builtins::Form form = builtins::row(call->id).form;
  if (form != builtins::Form::Dot && form != builtins::Form::Quantised) return false;
  const auto contraction = static_cast<std::uint32_t>(facts_.ops.size());
  expr(product, control);
  read(root(node.target), contraction);
  return true;
}

void Walker::at(const sema::Assign& node, StmtId id, Control control) {
  if (item_[node.target].type.is_tile()) {
    if (!accumulates(node, control)) tile_value(node.value, control);
    emit(Event::Form::Fresh, root(node.target).value);
    return;
  }
  expr(node.value, control);
  facts_.graph.add(facts_.node(node.value), facts_.node(node.target), Why::Assigned, id.value);
  facts_.graph.add(control.whole, facts_.node(node.target), Why::AssignedUnder, id.value);
}

void Walker::at(const sema::PointStore& node, StmtId id, Control control) {
  for (ExprId index : node.indices) expr(index, control);
  expr(node.value, control);
  emit(Event::Form::Store, static_cast<std::uint32_t>(facts_.stores.size()));
  facts_.stores.push_back({root(node.target), id, ExprId(), control.whole});
}

void Walker::at(const sema::SliceStore& node, StmtId, Control control) {
  const std::uint32_t store = op(Op::Form::Store, Op::Needs::Cta, ExprId(), control);
  const Place inside = Place().inside(store);
  for (const sema::Axis& axis : node.axes) operand(store, axis.start, control, inside);
  if (node.op) read(root(node.target), store);
  if (!node.value.valid()) return;
  const auto* spread = std::get_if<sema::ConvertExpr>(&item_[node.value].node);
  const ExprId value = spread && !item_[spread->operand].type.is_tile() ? spread->operand : node.value;
  if (item_[value].type.is_tile())
    expr(value, control, inside);
  else
    operand(store, value, control, inside);
}

void Walker::at(const sema::For& node, StmtId, Control control) {
  const std::pair<ExprId, Why> bounds[] = {{node.begin, Why::RunsFrom}, {node.end, Why::RunsTo}, {node.step, Why::RunsBy}};
  const Control body = derive(control);
  for (auto [bound, why] : bounds) {
    if (!bound.valid()) continue;
    expr(bound, control);
    if (item_[bound].constant) continue;
    facts_.graph.add(facts_.node(bound), facts_.node(node.variable), why, bound.value);
    feed(body, bound, Why::Bound, bound.value);
  }
  const std::size_t first_exit = exits_.size();
  const std::uint32_t head = emit(Event::Form::Branch);
  frames_.back().loops.push_back({head, {}});
  block(node.body, body);
  emit(Event::Form::Jump, 0, head);
  facts_.events[head].target = here();
  land(frames_.back().loops.back().breaks);
  frames_.back().loops.pop_back();
  leave_loop(body, first_exit);
}

// The condition runs once more than the body, by the threads that it has not sent out yet: under its own control.
void Walker::at(const sema::While& node, StmtId id, Control control) {
  const Control body = derive(control);
  const std::uint32_t head = here();
  expr(node.condition, body);
  feed(body, node.condition, Why::Condition, id.value);
  const std::size_t first_exit = exits_.size();
  const std::uint32_t branch = emit(Event::Form::Branch);
  frames_.back().loops.push_back({head, {}});
  block(node.body, body);
  emit(Event::Form::Jump, 0, head);
  facts_.events[branch].target = here();
  land(frames_.back().loops.back().breaks);
  frames_.back().loops.pop_back();
  leave_loop(body, first_exit);
}

void Walker::at(const sema::If& node, StmtId id, Control control) {
  expr(node.condition, control);
  const Control inner = derive(control);
  feed(inner, node.condition, Why::Condition, id.value);
  const std::uint32_t branch = emit(Event::Form::Branch);
  block(node.then_block, inner);
  if (node.else_block.empty()) {
    facts_.events[branch].target = here();
    return;
  }
  const std::uint32_t jump = emit(Event::Form::Jump);
  facts_.events[branch].target = here();
  block(node.else_block, inner);
  facts_.events[jump].target = here();
}

void Walker::at(const sema::Break&, StmtId id, Control control) {
  if (frames_.back().loops.empty()) return;
  exits_.push_back({Exit::Form::Break, control, id});
  frames_.back().loops.back().breaks.push_back(emit(Event::Form::Jump));
}

void Walker::at(const sema::Continue&, StmtId id, Control control) {
  if (frames_.back().loops.empty()) return;
  exits_.push_back({Exit::Form::Continue, control, id});
  emit(Event::Form::Jump, 0, frames_.back().loops.back().head);
}

void Walker::at(const sema::Return& node, StmtId id, Control control) {
  if (node.value.valid()) {
    const ExprId call = frames_.back().call;
    if (item_[node.value].type.is_tile())
      tile_value(node.value, control);
    else
      expr(node.value, control);
    if (call.valid() && !item_[call].type.is_tile()) {
      facts_.graph.add(facts_.node(node.value), facts_.node(call), Why::Returned, id.value);
      facts_.graph.add(control.inner, facts_.node(call), Why::ReturnedUnder, id.value);
    }
  }
  exits_.push_back({Exit::Form::Return, control, id});
  frames_.back().returns.push_back(emit(Event::Form::Jump));
}

void Walker::at(const sema::Evaluate& node, StmtId, Control control) { expr(node.expr, control); }

}  // namespace phobos::uniformity
