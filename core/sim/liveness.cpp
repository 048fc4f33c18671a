#include "liveness.h"

#include <algorithm>

namespace phobos::sim {

Liveness::Liveness(const ir::Kernel& kernel)
    : last_use_(kernel.values.size(), unused),
      home_(kernel.values.size()),
      position_(kernel.ops.size()),
      region_(kernel.ops.size()),
      dying_(kernel.ops.size()),
      parent_(kernel.regions.size()) {
  place(kernel, kernel.body, ir::OpId());
  for (std::size_t i = 0; i < kernel.ops.size(); ++i)
    if (const ir::OpId op(i); region_[op].valid())
      for (ir::ValueId operand : kernel[op].operands) use(op, operand);
  for (std::size_t i = 0; i < kernel.values.size(); ++i) {
    const ir::ValueId value(i);
    if (last_use_[value] != unused && kernel[value].op.valid())
      dying_[kernel[home_[value]].ops[static_cast<std::size_t>(last_use_[value])]].push_back(value);
  }
}

void Liveness::place(const ir::Kernel& kernel, ir::RegionId region, ir::OpId parent) {
  parent_[region] = parent;
  for (ir::ValueId argument : kernel[region].arguments) home_[argument] = region;
  const auto& ops = kernel[region].ops;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    position_[ops[i]] = static_cast<int>(i);
    region_[ops[i]] = region;
    for (ir::ValueId result : kernel[ops[i]].results) home_[result] = region;
    for (ir::RegionId nested : kernel[ops[i]].regions) place(kernel, nested, ops[i]);
  }
}

void Liveness::use(ir::OpId op, ir::ValueId value) {
  while (region_[op] != home_[value]) op = parent_[region_[op]];
  last_use_[value] = std::max(last_use_[value], position_[op]);
}

std::size_t FrameSpace::take(std::size_t bytes) {
  bytes = rounded(bytes);
  auto& same = free_[bytes];
  if (!same.empty()) {
    const std::size_t offset = same.back();
    same.pop_back();
    return offset;
  }
  return take_unused(bytes);
}

std::size_t FrameSpace::take_unused(std::size_t bytes) {
  const std::size_t offset = top_;
  top_ += rounded(bytes);
  return offset;
}

void FrameSpace::give(std::size_t offset, std::size_t bytes) { free_[rounded(bytes)].push_back(offset); }

}  // namespace phobos::sim
