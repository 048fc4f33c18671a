#include "lowering.h"

namespace phobos::lower {

// --- what a region carries -----------------------------------------------------------------------------------------------

void Lowering::assigned_in(const sema::Block& block, std::vector<bool>& found) const {
  for (const StmtId id : block) {
    const auto& node = item_[id].node;
    if (const auto* assign = std::get_if<sema::Assign>(&node)) found[assign->target.value] = true;
    if (const auto* loop = std::get_if<sema::For>(&node)) assigned_in(loop->body, found);
    if (const auto* loop = std::get_if<sema::While>(&node)) assigned_in(loop->body, found);
    if (const auto* branch = std::get_if<sema::If>(&node)) {
      assigned_in(branch->then_block, found);
      assigned_in(branch->else_block, found);
    }
  }
}

// The locals that have a value here and another one behind the blocks. (An inlined function assigns locals of its own only.)
Lowering::Locals Lowering::carried_by(std::initializer_list<const sema::Block*> blocks) const {
  std::vector<bool> found(item_.locals.size(), false);
  for (const sema::Block* block : blocks) assigned_in(*block, found);
  Locals carried;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const LocalId local(i);
    if (found[i] && env_[local] && !in_memory_[i]) carried.push_back(local);
  }
  return carried;
}

Lowering::Values Lowering::values_of(const Locals& locals) const {
  Values values;
  for (const LocalId local : locals) values.push_back(env_[local]);
  return values;
}

void Lowering::add_results(ir::OpId op, const Locals& locals) {
  for (const LocalId local : locals)
    env_[local] = builder_.add_result(op, type_of(item_[local].type), kind_of(local), item_[local].name);
}

void Lowering::add_arguments(ir::RegionId region, const Locals& locals) {
  for (const LocalId local : locals)
    env_[local] = builder_.add_argument(region, type_of(item_[local].type), kind_of(local), item_[local].name);
}

bool Lowering::ended() const {
  const auto& ops = kernel_[builder_.region()].ops;
  return !ops.empty() && ir::has(ir::info(kernel_[ops.back()].code).traits, ir::Trait::Terminator);
}

// Behind an `if` that leaves both ways nothing runs; the region still ends like any other.
void Lowering::end_region(Opcode terminator, Values values) {
  if (!ended()) builder_.op(terminator, std::move(values));
}

// --- statements ----------------------------------------------------------------------------------------------------------

Lowering::Branch Lowering::branch(const sema::Block& statements, const Locals& merged) {
  const ir::RegionId outer = builder_.region();
  const ir::RegionId region = builder_.new_region();
  builder_.set_region(region);
  const bool falls_through = block(statements);
  end_region(Opcode::Yield, values_of(merged));
  builder_.set_region(outer);
  return {region, falls_through};
}

bool Lowering::if_statement(const sema::If& node) {
  const ir::Builder::Where where = builder_.where();
  if (const auto& known = item_[node.condition].constant) {
    const bool* taken = std::get_if<bool>(&known->value);
    if (taken) return block(*taken ? node.then_block : node.else_block);
  }
  const ValueId condition = expr(node.condition);
  const Locals merged = carried_by({&node.then_block, &node.else_block});
  place_header(item_[stmt_].location, node.condition);
  step(ir::Note::Form::Condition, {label(item_[node.condition].location)}, {condition});
  builder_.set_where(where);
  const ir::OpId op = builder_.op(Opcode::If, {condition});
  const auto before = env_;
  const Branch then_branch = branch(node.then_block, merged);
  env_ = before;
  builder_.set_where(where);
  const Branch else_branch = branch(node.else_block, merged);
  env_ = before;
  builder_.set_where(where);
  kernel_[op].regions = {then_branch.region, else_branch.region};
  add_results(op, merged);
  return then_branch.falls_through || else_branch.falls_through;
}

// The step where one is written, else the end.
sema::ExprId Lowering::last_bound(const sema::For& node) const {
  const Location step = item_[node.step].location, end = item_[node.end].location;
  return step.origin == end.origin && step.span.begin >= end.span.end ? node.step : node.end;
}

void Lowering::for_statement(const sema::For& node) {
  const ir::Builder::Where where = builder_.where();
  Values operands = {expr(node.begin), expr(node.end), expr(node.step)};
  const sema::Local& variable = item_[node.variable];
  place_header(item_[stmt_].location, last_bound(node));
  step(ir::Note::Form::Loop, {variable.name}, {operands[0], operands[1]});
  builder_.set_where(where);
  const Locals carried = carried_by({&node.body});
  for (const ValueId value : values_of(carried)) operands.push_back(value);
  const std::int64_t unroll = !node.unroll ? 0 : *node.unroll == 0 ? -1 : *node.unroll;
  const ir::OpId op = builder_.op(Opcode::For, std::move(operands), unroll);
  const ir::RegionId outer = builder_.region();
  const ir::RegionId body = builder_.new_region();
  kernel_[op].regions = {body};

  const auto before = env_;
  builder_.set_region(body);
  env_[node.variable] = builder_.add_argument(body, type_of(variable.type), kind_of(node.variable), variable.name);
  add_arguments(body, carried);
  place_header(item_[stmt_].location, last_bound(node));
  step(ir::Note::Form::Round, {variable.name}, {env_[node.variable]});
  loops_.push_back(carried);
  block(node.body);
  builder_.set_where(where);
  end_region(Opcode::Yield, values_of(carried));
  loops_.pop_back();
  builder_.set_region(outer);
  env_ = before;
  add_results(op, carried);
}

void Lowering::while_statement(const sema::While& node) {
  const ir::Builder::Where where = builder_.where();
  const Locals carried = carried_by({&node.body});
  const ir::OpId op = builder_.op(Opcode::While, values_of(carried));
  const ir::RegionId outer = builder_.region();
  const ir::RegionId condition = builder_.new_region();
  const ir::RegionId body = builder_.new_region();
  kernel_[op].regions = {condition, body};

  const auto before = env_;
  builder_.set_region(condition);
  add_arguments(condition, carried);
  Values going_on = {expr(node.condition)};
  for (const ValueId value : values_of(carried)) going_on.push_back(value);
  place_header(item_[stmt_].location, node.condition);
  step(ir::Note::Form::Condition, {label(item_[node.condition].location)}, {going_on[0]});
  builder_.set_where(where);
  builder_.op(Opcode::Condition, std::move(going_on));

  env_ = before;
  builder_.set_region(body);
  add_arguments(body, carried);
  loops_.push_back(carried);
  block(node.body);
  builder_.set_where(where);
  end_region(Opcode::Yield, values_of(carried));
  loops_.pop_back();
  builder_.set_region(outer);
  env_ = before;
  add_results(op, carried);
}

bool Lowering::leave_loop(Opcode code) {
  builder_.op(code, values_of(loops_.back()));
  return false;
}

}  // namespace phobos::lower
