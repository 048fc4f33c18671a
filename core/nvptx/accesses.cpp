#include "accesses.h"

#include <algorithm>

#include "shared.h"

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

bool made_inside(const ir::Kernel& kernel, const ir::Op& op, ir::ValueId value) {
  for (const ir::RegionId id : op.regions) {
    const ir::Region& region = kernel[id];
    if (std::find(region.arguments.begin(), region.arguments.end(), value) != region.arguments.end()) return true;
    for (const ir::OpId inner : region.ops) {
      const std::vector<ir::ValueId>& results = kernel[inner].results;
      if (std::find(results.begin(), results.end(), value) != results.end() || made_inside(kernel, kernel[inner], value)) return true;
    }
  }
  return false;
}

AccessMap ring_accesses(const ir::Kernel& kernel, const ir::Op& op) {
  AccessMap found;
  if (op.code == Opcode::AsyncLoad) found[op.operands[0]] = CtaWrite;
  if (op.code == Opcode::Dot || op.code == Opcode::Preload)
    for (const ir::ValueId operand : op.operands)
      if (const ir::ValueId ring = buffer_of(kernel, operand); ring.valid()) found[ring] |= CtaRead;
  return found;
}

Accesses::Accesses(const ir::Kernel& kernel, const Exchanges& exchanges) : kernel_(kernel), exchanges_(exchanges) {
  if (kernel.body.valid()) all_ = collect(kernel.body);
}

unsigned Accesses::of(Memory memory) const {
  const auto found = all_.find(memory);
  return found == all_.end() ? 0 : found->second;
}

std::size_t Accesses::writers(Memory memory) const {
  const auto found = writers_.find(memory);
  return found == writers_.end() ? 0 : found->second;
}

AccessMap Accesses::collect(ir::RegionId region) {
  AccessMap found;
  for (const ir::OpId id : kernel_[region].ops) {
    const ir::Op& op = kernel_[id];
    if (const unsigned access = access_of(op.code)) {
      found[op.operands[0]] |= access;
      if ((access & any_write) != 0) ++writers_[op.operands[0]];
    }
    if (op.code == Opcode::Print)
      for (const ir::ValueId operand : op.operands)
        if (kernel_.type(operand).is_buffer())
          found[operand] |= kernel_.notes[static_cast<std::size_t>(op.immediate)].control == Kind::Uniform ? CtaRead : ThreadRead;
    for (const auto& [ring, how] : ring_accesses(kernel_, op)) found[ring] |= how;
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
