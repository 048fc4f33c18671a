#include "shared.h"

#include <algorithm>

#include <phobos/passes/contraction.h>

namespace phobos::nvptx {

using ir::Opcode;

namespace {

constexpr std::int64_t granule = 16, exchange_granule = 128, swizzled = 1024;

std::int64_t align(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

}  // namespace

ir::ValueId buffer_of(const ir::Kernel& kernel, ir::ValueId tile) {
  const ir::OpId made = kernel[tile].op;
  return made.valid() && kernel[made].code == Opcode::SharedTile ? kernel[made].operands[0] : ir::ValueId();
}

SharedPlan::SharedPlan(const ir::Kernel& kernel, std::int64_t from)
    : kernel_(kernel), from_(from), position_(kernel.ops.size()), end_(kernel.ops.size()), loop_(kernel.ops.size()), bytes_(from) {
  if (!kernel.body.valid()) return;
  number(kernel.body, {});
  for (std::uint32_t i = 0; i < kernel.ops.size(); ++i) {
    const ir::OpId id(i);
    if (!reaches(id)) continue;
    for (const ir::ValueId operand : kernel[id].operands) {
      touch(id, operand);
      const ir::ValueId buffer = buffer_of(kernel, operand);
      if (!buffer.valid()) continue;
      touch(id, buffer);
      // The order of a swizzled row's pieces follows from their addresses.
      if (kernel[id].code == Opcode::Dot && (kernel[id].immediate & passes::dot_by_groups) != 0) places_.at(buffer).granule = swizzled;
    }
  }
  place();
}

void SharedPlan::number(ir::RegionId region, ir::OpId loop) {
  for (const ir::OpId id : kernel_[region].ops) {
    const ir::Op& op = kernel_[id];
    position_[id.value] = ++count_;
    loop_[id.value] = loop;
    if (op.code == Opcode::Alloc) {
      const ir::Type& type = kernel_.type(op.results[0]);
      places_[op.results[0]] = {0, align(ir::element_count(type.shape) * size_of(type.element), granule), count_, count_, granule};
    }
    const bool around = op.code == Opcode::For || op.code == Opcode::While;
    for (const ir::RegionId inner : op.regions) number(inner, around ? id : loop);
    end_[id.value] = count_;
  }
}

// Where a buffer that was made there is needed to, for that use: to the end of the outermost loop around the use alone.
std::size_t SharedPlan::last_of(ir::OpId use, ir::OpId alloc) const {
  std::size_t last = position_[use.value];
  for (ir::OpId loop = loop_[use.value]; loop.valid() && position_[loop.value] > position_[alloc.value]; loop = loop_[loop.value])
    last = end_[loop.value];
  return last;
}

void SharedPlan::touch(ir::OpId op, ir::ValueId value) {
  const auto found = places_.find(value);
  if (found != places_.end()) found->second.end = std::max(found->second.end, last_of(op, kernel_[value].op));
}

// Each in turn, as low as those allow that live at the same time.
void SharedPlan::place() {
  std::vector<Place*> order;
  for (auto& [buffer, place] : places_) order.push_back(&place);
  std::sort(order.begin(), order.end(), [](const Place* a, const Place* b) { return a->begin < b->begin; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    Place& mine = *order[i];
    mine.offset = align(from_, mine.granule);
    const auto blocks = [&](const Place* other) {
      return other->begin <= mine.end && mine.begin <= other->end && other->overlaps(mine.offset, mine.offset + mine.bytes);
    };
    for (auto other = order.begin(); other != order.begin() + static_cast<std::ptrdiff_t>(i);) {
      if (!blocks(*other)) {
        ++other;
        continue;
      }
      mine.offset = align((*other)->offset + (*other)->bytes, mine.granule);
      other = order.begin();
    }
    bytes_ = std::max(bytes_, mine.offset + mine.bytes);
  }
}

std::int64_t SharedPlan::free_from(ir::OpId op) const {
  std::int64_t free = from_;
  for (const auto& [buffer, place] : places_)
    if (place.begin <= position_[op.value] && position_[op.value] <= place.end) free = std::max(free, place.offset + place.bytes);
  return align(free, exchange_granule);
}

}  // namespace phobos::nvptx
