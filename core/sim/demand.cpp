#include "demand.h"

#include <algorithm>

namespace phobos::sim {
namespace {

using ir::Opcode;

// Whether something may be found in doing it, told or not: an index outside, a division by zero, a warning.
bool may_find(const ir::Op& op) {
  switch (op.code) {
    case Opcode::Load:
    case Opcode::ElemLoad:
    case Opcode::Div:
    case Opcode::Rem:
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::Convert: return true;
    default: return false;
  }
}

}  // namespace

bool Demand::is_pure(const ir::Op& op) {
  return !op.results.empty() && op.regions.empty() && op.code != Opcode::Alloc && !ir::has(ir::info(op.code).traits, ir::Trait::Effect);
}

Demand::Demand(const ir::Kernel& kernel) : told_(kernel.values.size()), needed_(kernel.values.size()), judged_(kernel.values.size()) {
  for (std::size_t i = kernel.ops.size(); i-- > 0;) {  // users stand behind what they use
    const ir::Op& op = kernel.ops[ir::OpId(i)];
    if (op.code == Opcode::Mark) continue;
    const bool tells = op.code == Opcode::Print;
    const bool told = tells || (is_pure(op) && told_[op.results[0]]);
    const bool needed = !tells && !(told && !needed_[op.results[0]]);
    const bool judged = may_find(op) || (!tells && !op.results.empty() && judged_[op.results[0]]);
    for (const ir::ValueId operand : op.operands) {
      told_[operand] = told_[operand] || told;
      needed_[operand] = needed_[operand] || needed;
      judged_[operand] = judged_[operand] || judged;
    }
  }
}

bool Demand::is_idle(const ir::Op& op) const {
  if (!is_pure(op) || may_find(op)) return false;
  return std::all_of(op.results.begin(), op.results.end(), [&](ir::ValueId id) { return told_[id] && !needed_[id] && !judged_[id]; });
}

}  // namespace phobos::sim
