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

Accesses::Accesses(const ir::Kernel& kernel, const Exchanges& exchanges) : kernel_(kernel), exchanges_(exchanges) {
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
    if (op.code == Opcode::Print)
      for (const ir::ValueId operand : op.operands)
        if (kernel_.type(operand).is_buffer())
          found[operand] |= kernel_.notes[static_cast<std::size_t>(op.immediate)].control == Kind::Uniform ? CtaRead : ThreadRead;
    acquires_ |= op.code == Opcode::LoadAcquire;
    if (exchanges_(op)) found[Memory()] |= CtaRead | CtaWrite;
    if (op.regions.empty()) continue;
    AccessMap& nested = inside_[id.value];
    for (const ir::RegionId inner : op.regions)
      for (const auto& [memory, access] : collect(inner)) nested[memory] |= access;
    for (const auto& [memory, access] : nested) found[memory] |= access;
  }
  return found;
}

}  // namespace phobos::nvptx
