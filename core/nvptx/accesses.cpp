#include "accesses.h"

namespace phobos::nvptx {

using ir::Opcode;

unsigned access_of(Opcode code) {
  switch (code) {
    case Opcode::Load:
    case Opcode::RunLoad:
    case Opcode::ElemLoad: return ThreadRead;
    case Opcode::Store:
    case Opcode::RunStore:
    case Opcode::ElemStore: return ThreadWrite;
    case Opcode::TileLoad:
    case Opcode::LoadAcquire: return CtaRead;
    case Opcode::TileStore:
    case Opcode::StoreRelease: return CtaWrite;
    case Opcode::Atomic:
    case Opcode::GridBarrier: return CtaRead | CtaWrite;
    default: return 0;
  }
}

bool uses_exchange(const ir::Kernel& kernel, const ir::Op& op) {
  switch (op.code) {
    case Opcode::Broadcast:
    case Opcode::Reshape:
    case Opcode::Transpose:
    case Opcode::Dot:
    case Opcode::RowFold:
    case Opcode::RowArgMax:
    case Opcode::CumSum:
    case Opcode::Atomic:
    case Opcode::LoadAcquire: return true;
    case Opcode::Collective: return ir::collective_scope(op.immediate) == ir::Scope::Thread && kernel.threads > 32;
    default: return false;
  }
}

Accesses::Accesses(const ir::Kernel& kernel) : kernel_(kernel) {
  if (kernel.body.valid()) all_ = collect(kernel.body);
}

unsigned Accesses::of(Memory memory) const {
  const auto found = all_.find(memory);
  return found == all_.end() ? 0 : found->second;
}

AccessMap Accesses::collect(ir::RegionId region) {
  AccessMap found;
  for (const ir::OpId id : kernel_[region].ops) {
    const ir::Op& op = kernel_[id];
    if (const unsigned access = access_of(op.code)) found[op.operands[0]] |= access;
    acquires_ |= op.code == Opcode::LoadAcquire;
    if (uses_exchange(kernel_, op)) found[Memory()] |= CtaRead | CtaWrite;
    if (op.regions.empty()) continue;
    AccessMap& nested = inside_[id.value];
    for (const ir::RegionId inner : op.regions)
      for (const auto& [memory, access] : collect(inner)) nested[memory] |= access;
    for (const auto& [memory, access] : nested) found[memory] |= access;
  }
  return found;
}

}  // namespace phobos::nvptx
