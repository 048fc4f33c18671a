// A chain of two contractions in a loop, as attention has it: what the first gives is reworked in registers, rounded to 16 bits, and is the
// first operand of the second, whose sums the loop carries on, maybe scaled before they are added to.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bulk_planner.h"
#include "walk.h"

namespace phobos::passes {

using ir::Opcode;

namespace {

constexpr int beside_sums = 24;  // registers of a consumer beside scores, weights and sums

}  // namespace

ir::OpId BulkPlanner::load_of(ir::OpId dot, std::size_t operand) const {
  const ir::ValueId value = kernel_[dot].operands[operand];
  const ir::OpId made = kernel_[value].op;
  return made.valid() && kernel_[made].code == Opcode::TileLoad && is_used_once(value, dot, operand) ? made : ir::OpId();
}

std::string BulkPlanner::find_chain() {
  const std::vector<ir::OpId>& ops = kernel_[kernel_[plan_.loop].regions[0]].ops;
  const std::vector<ir::ValueId>& yielded = kernel_[ops.back()].operands;
  if (kernel_[ops.back()].code != Opcode::Yield) return "the loop may be left early";
  for (const ir::OpId dot : dots_) (std::find(yielded.begin(), yielded.end(), kernel_[dot].results[0]) != yielded.end() ? plan_.dot : plan_.first) = dot;
  if (!plan_.dot.valid() || !plan_.first.valid()) return "it has two contractions, and not one that follows from the other and adds to what the loop carries";
  const ir::Op& first = kernel_[plan_.first];
  if (first.operands.size() != 2) return "the first of its two contractions adds to something";
  const std::vector<ir::OpId>& outside = kernel_[kernel_.body].ops;
  const ir::OpId q = load_of(plan_.first, 0), k = load_of(plan_.first, 1), v = load_of(plan_.dot, 1);
  if (!q.valid() || std::find(outside.begin(), outside.end(), q) == outside.end()) return "what the first of its two contractions has to its left is no slice that is loaded before the loop, for it alone";
  for (const ir::OpId load : {k, v})
    if (!load.valid() || std::find(ops.begin(), ops.end(), load) == ops.end()) return "what one of its two contractions has to its right is no slice that is loaded in the loop, for it alone";
  if (std::string why = look_between(); !why.empty()) return why;
  for (const ir::OpId load : {q, k, v})
    if (std::string why = look_at_load(load); !why.empty()) return why;
  plan_.rings = {{{{q, plan_.first, 0, {}, 0}}, 1, true}, {{{k, plan_.first, 1, {}, 0}}, 0, false}, {{{v, plan_.dot, 1, {}, 0}}, 0, false}};
  return look_at_chain();
}

// Between the contractions everything is computed in registers; and of what the loop carries, the sums are for the second contraction alone.
std::string BulkPlanner::look_between() const {
  const ir::Region& body = kernel_[kernel_[plan_.loop].regions[0]];
  const ir::Op& dot = kernel_[plan_.dot];
  const std::vector<ir::ValueId>& yielded = kernel_[body.ops.back()].operands;
  const auto at = static_cast<std::size_t>(std::find(yielded.begin(), yielded.end(), dot.results[0]) - yielded.begin());
  if (!is_used_once(dot.results[0], body.ops.back(), at)) return "the sums are looked at in the loop";
  if (dot.operands.size() != 3) return "the second of its contractions adds to nothing";
  std::set<std::uint32_t> from_sums{body.arguments[at + 1].value};
  for (const ir::OpId id : body.ops) {
    const ir::Op& op = kernel_[id];
    const auto is_sum = [&](ir::ValueId value) { return from_sums.contains(value.value); };
    if (id == plan_.dot) {
      if (is_sum(op.operands[0]) || !is_sum(op.operands[2])) return "the second of its contractions does not add to what the loop carries";
      continue;
    }
    const bool follows = std::any_of(op.operands.begin(), op.operands.end(), is_sum);
    if (id == plan_.first || op.code == Opcode::Yield || op.code == Opcode::TileLoad) {
      if (follows) return "the sums of the second contraction are looked at in the loop";
      if (op.code == Opcode::TileLoad && !is_used_once(op.results[0], plan_.first, 1) && !is_used_once(op.results[0], plan_.dot, 1)) return "the loop loads more than the operands of its contractions";
      continue;
    }
    if (!is_pure(op)) return "the loop does more than to compute in registers between its contractions";
    if (follows) from_sums.insert(op.results[0].value);
  }
  return {};
}

std::string BulkPlanner::look_at_chain() {
  Contraction scores, sums;
  if (std::string why = look_at_dot(plan_.first, scores); !why.empty()) return why;
  if (std::string why = look_at_dot(plan_.dot, sums); !why.empty()) return why;
  const std::int64_t groups = kernel_.threads / 128;
  if (size_of(kernel_.type(kernel_[plan_.dot].operands[0]).element) != 2) return "the second contraction is not of 16 bits";
  if (scores.m != 64 * groups) return fmt::format("a chain of contractions takes 64 rows for each group of 128 threads, here {}, not {}", 64 * groups, scores.m);
  for (BulkPlan::Ring& ring : plan_.rings)
    for (BulkPlan::Operand& operand : ring.operands)
      if (std::string why = look_at_operand(operand.dot == plan_.first ? scores : sums, operand); !why.empty()) return why;
  const std::int64_t held = scores.n / 2 + scores.n / 4 + sums.n / 2;
  for (const Contraction* one : {&scores, &sums})
    if (std::string why = look_at_registers(one->n, held, beside_sums); !why.empty()) return why;
  for (const ir::OpId dot : dots_) kernel_[dot].immediate |= dot_by_groups;
  return {};
}

}  // namespace phobos::passes
