// Elements of tiles that have no value: nothing has written them, or they were divided by zero.
//
// A tile in memory has a byte an element that says whether it has been written. A tile value may be made from such memory whole,
// and whether its holes matter is seen only where it goes: what a mask at an edge keeps from being stored, and what `where` does
// not pick, was never needed. The same goes for an element of an integer tile that was divided by zero, as all are that a mask made
// zero: it is a hole. So the holes go along with the value, through each operation, and are told where a tensor would get
// them, or where a thread reads one. Most values have none, and a kernel whose tiles have none pays for a look at a flag.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plan.h"

namespace phobos::sim {

class Cta;

// Of a tile value: which of its elements were never written, and from where it has them.
struct Holes {
  std::vector<std::int32_t> at;   // an element each: 0, or for a hole 1 + the element of the source that was read
  std::uint32_t reader = 0;       // the operation that read them
  std::uint32_t source = 0;       // the value (ir::ValueId) that was never written: memory or a tile
  bool divided = false;           // the reader divided by zero
};

class HoleMap {
 public:
  bool any() const { return !holes_.empty(); }
  const Holes* find(const Slot& slot) const {
    const auto found = holes_.find(slot.offset);
    return found == holes_.end() ? nullptr : &found->second;
  }
  void set(const Slot& slot, Holes holes) { holes_[slot.offset] = std::move(holes); }
  void erase(const Slot& slot) { holes_.erase(slot.offset); }
  void move(const Slot& from, const Slot& to);
  void clear() { holes_.clear(); }
  // What the operation, about to run, makes of its operands' holes.
  void propagate(const Instr& in, Cta& cta);

 private:
  std::map<std::size_t, Holes> holes_;  // by offset of the slot in the frame
};

}  // namespace phobos::sim
