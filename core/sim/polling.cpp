#include "polling.h"

#include <algorithm>

namespace phobos::sim {

using ir::Opcode;

bool writes(Opcode code) {
  switch (code) {
    case Opcode::Store:
    case Opcode::RunStore:
    case Opcode::ElemStore:
    case Opcode::TileStore:
    case Opcode::Atomic:
    case Opcode::StoreRelease: return true;
    default: return false;
  }
}

namespace {

bool is_read(Opcode code) {
  return code == Opcode::Load || code == Opcode::RunLoad || code == Opcode::ElemLoad || code == Opcode::TileLoad;
}

bool orders(Opcode code) { return code == Opcode::LoadAcquire || code == Opcode::Barrier || code == Opcode::GridBarrier; }

}  // namespace

// What the regions of a loop, and of those in it, are given anew in each round.
void Polling::enter(const ir::Op& op) {
  for (const ir::RegionId region : op.regions) {
    for (const ir::ValueId argument : kernel_[region].arguments) changes_.insert(argument.value);
    for (const ir::OpId id : kernel_[region].ops) enter(kernel_[id]);
  }
}

void Polling::look(const ir::Op& op, bool decides) {
  for (const ir::RegionId region : op.regions)
    for (const ir::OpId id : kernel_[region].ops) {
      const ir::Op& one = kernel_[id];
      if (demand_.is_told(one)) continue;
      leaves_ |= one.code == Opcode::Break || one.code == Opcode::Return || one.code == Opcode::Leave;
      look(one, decides || (op.code == Opcode::While && region == op.regions[0]));
      const bool all_stay = one.regions.empty() && std::all_of(one.operands.begin(), one.operands.end(), [&](ir::ValueId value) { return stays(value); });
      bool asked = std::any_of(one.operands.begin(), one.operands.end(), [&](ir::ValueId value) { return asked_.contains(value.value); });
      acts_ |= writes(one.code) || orders(one.code) || (is_read(one.code) && !all_stay);
      if (is_read(one.code) && written_[one.operands[0]] && kernel_.type(one.operands[0]).space == ir::Type::Space::Global) {
        reads_.push_back(&one);
        asked = true;
      }
      for (const ir::ValueId result : one.results) {
        if (!all_stay) changes_.insert(result.value);
        else if (asked) asked_.insert(result.value);
        const bool tests = all_stay && asked && kernel_.type(result).element == ScalarType::Bool;
        tests_ |= tests;
        decided_ |= tests && (decides || (op.code == Opcode::While && region == op.regions[0]));
      }
    }
}

const ir::Op* Polling::find(const ir::Op& loop) {
  enter(loop);
  look(loop, false);
  return !acts_ && (decided_ || (tests_ && leaves_)) ? reads_.front() : nullptr;
}

}  // namespace phobos::sim
