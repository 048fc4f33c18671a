// Calls are inlined. Where a function returns at its end, or at the end of each branch, the call is ordinary operations, with an
// `if` that gives the value:
//
//   if x > 0.0 { return a }          %r = if %c { yield a } else { … yield b }
//   …
//   return b
//
// Only a return from within a loop, or one that some paths of a branch pass by, needs the `scope` that `leave` leaves.
#include "lowering.h"

#include <algorithm>
#include <utility>

namespace phobos::lower {

bool Lowering::contains_return(StmtId id) const {
  const auto& node = item_[id].node;
  if (const auto* loop = std::get_if<sema::For>(&node)) return contains_return(loop->body);
  if (const auto* loop = std::get_if<sema::While>(&node)) return contains_return(loop->body);
  if (const auto* branch = std::get_if<sema::If>(&node))
    return contains_return(branch->then_block) || contains_return(branch->else_block);
  return std::holds_alternative<sema::Return>(node);
}

bool Lowering::contains_return(const sema::Block& block) const {
  return std::any_of(block.begin(), block.end(), [&](StmtId id) { return contains_return(id); });
}

ValueId Lowering::call(ExprId id, const sema::InlinedCall& node) {
  if (id != element_)
    for (const auto& [local, argument] : node.bindings) bind(local, argument);
  place_span(item_[id].location);
  const ir::Builder::Where where = builder_.where();
  kernel_.calls.push_back({std::string(item_.name_of_origin(node.origin)), where.span, where.call});
  inlined_.emplace_back(node.origin, static_cast<std::uint32_t>(kernel_.calls.size()));
  std::vector<LocalId> parameters;
  for (const auto& [local, argument] : node.bindings) parameters.push_back(local);
  step_of_parameters(parameters);
  const ValueId value = body_of(id, node);
  inlined_.pop_back();
  builder_.set_where(where);
  return value;
}

ValueId Lowering::body_of(ExprId id, const sema::InlinedCall& node) {
  if (item_[id].type.is_void() && !contains_return(*node.body)) {
    block(*node.body);
    return {};
  }
  if (!item_[id].type.is_void() && ends_in_value(*node.body, 0)) return tail_value(*node.body, 0, id);
  return scoped_call(id, node);
}

ValueId Lowering::scoped_call(ExprId id, const sema::InlinedCall& node) {
  const sema::Expr& call = item_[id];
  place_span(call.location);
  const ir::OpId op = builder_.op(Opcode::ScopeOp, {});
  const ir::RegionId outer = builder_.region();
  const ir::RegionId region = builder_.new_region();
  kernel_[op].regions = {region};
  const auto before = env_;
  builder_.set_region(region);
  calls_.push_back(id);
  block(*node.body);
  calls_.pop_back();
  Values values;  // of an end that no thread reaches: every path of a function with a result returns one
  if (!call.type.is_void() && !ended()) values.push_back(zero(type_of(call.type)));
  end_region(Opcode::Yield, std::move(values));
  builder_.set_region(outer);
  env_ = before;
  if (call.type.is_void()) return {};
  const Kind kind = call.type.is_tile() ? Kind::Uniform : kinds_.expr_kinds[id];
  return builder_.add_result(op, type_of(call.type), kind);
}

// Whether every path from statement `first` on ends in a `return` that tail_value() can turn into a value.
bool Lowering::ends_in_value(const sema::Block& block, std::size_t first) const {
  for (std::size_t i = first; i < block.size(); ++i) {
    const auto& node = item_[block[i]].node;
    if (std::holds_alternative<sema::Return>(node)) return true;
    if (!contains_return(block[i])) continue;
    const auto* branch = std::get_if<sema::If>(&node);
    if (!branch || !ends_in_value(branch->then_block, 0)) return false;
    return branch->else_block.empty() ? ends_in_value(block, i + 1) : ends_in_value(branch->else_block, 0);
  }
  return false;
}

ValueId Lowering::tail_value(const sema::Block& block, std::size_t first, ExprId call) {
  for (std::size_t i = first; i < block.size(); ++i) {
    const sema::Stmt& stmt = item_[block[i]];
    if (const auto* result = std::get_if<sema::Return>(&stmt.node)) {
      const StmtId outer = std::exchange(stmt_, block[i]);
      const ValueId value = shaped(expr(result->value), type_of(item_[call].type));
      place_span(stmt.location);
      step(ir::Note::Form::Leave, {"return"}, {value});
      stmt_ = outer;
      return value;
    }
    const auto* branch = std::get_if<sema::If>(&stmt.node);
    if (!branch || !contains_return(block[i])) {
      statement(block[i]);
      continue;
    }
    const bool otherwise = !branch->else_block.empty();
    const sema::Block& rest = otherwise ? branch->else_block : block;
    const std::size_t rest_first = otherwise ? 0 : i + 1;
    if (const auto& known = item_[branch->condition].constant)
      if (const bool* taken = std::get_if<bool>(&known->value))
        return *taken ? tail_value(branch->then_block, 0, call) : tail_value(rest, rest_first, call);
    const ValueId condition = expr(branch->condition);
    const StmtId outer = std::exchange(stmt_, block[i]);
    place_header(stmt.location, branch->condition);
    step(ir::Note::Form::Condition, {label(item_[branch->condition].location)}, {condition});
    stmt_ = outer;
    place_span(stmt.location);
    return tail_if(condition, branch->then_block, rest, rest_first, call);
  }
  return {};
}

ValueId Lowering::tail_if(ValueId condition, const sema::Block& then_block, const sema::Block& else_block,
                          std::size_t else_first, ExprId call) {
  const ir::Builder::Where where = builder_.where();
  const ir::OpId op = builder_.op(Opcode::If, {condition});
  const ir::RegionId outer = builder_.region();
  const auto before = env_;
  for (const bool taken : {true, false}) {
    const ir::RegionId region = builder_.new_region();
    kernel_[op].regions.push_back(region);
    builder_.set_region(region);
    const ValueId value = taken ? tail_value(then_block, 0, call) : tail_value(else_block, else_first, call);
    builder_.set_where(where);
    end_region(Opcode::Yield, {value});
    env_ = before;
  }
  builder_.set_region(outer);
  const sema::Type& type = item_[call].type;
  const Kind kind = type.is_tile() ? Kind::Uniform : kinds_.expr_kinds[call];
  return builder_.add_result(op, type_of(type), kind);
}

}  // namespace phobos::lower
