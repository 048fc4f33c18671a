// Where values are last needed, and slots handed out accordingly.
#pragma once

#include <map>
#include <vector>

#include <phobos/ir/ir.h>

#include "value.h"

namespace phobos::sim {

// Positions of operations, and for each value the operation of its own region behind which nobody needs it. A use inside a nested
// region counts as one by the operation that the region belongs to: a loop needs what its body reads until its end.
class Liveness {
 public:
  explicit Liveness(const ir::Kernel& kernel);

  static constexpr int unused = -1;
  int last_use(ir::ValueId value) const { return last_use_[value]; }       // position in the value's region
  int position(ir::OpId op) const { return position_[op]; }
  ir::RegionId region_of(ir::OpId op) const { return region_[op]; }
  const std::vector<ir::ValueId>& dying(ir::OpId op) const { return dying_[op]; }  // after it; no region arguments

 private:
  void place(const ir::Kernel& kernel, ir::RegionId region, ir::OpId parent);
  void use(ir::OpId op, ir::ValueId value);

  IdVector<ir::ValueId, int> last_use_;
  IdVector<ir::ValueId, ir::RegionId> home_;
  IdVector<ir::OpId, int> position_;
  IdVector<ir::OpId, ir::RegionId> region_;
  IdVector<ir::OpId, std::vector<ir::ValueId>> dying_;
  IdVector<ir::RegionId, ir::OpId> parent_;
};

// Memory of the frame, given out and taken back by size.
class FrameSpace {
 public:
  std::size_t take(std::size_t bytes);
  std::size_t take_unused(std::size_t bytes);  // that nobody had before
  void give(std::size_t offset, std::size_t bytes);
  std::size_t size() const { return top_; }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  std::map<std::size_t, std::vector<std::size_t>> free_;
  std::size_t top_ = 0;
};

}  // namespace phobos::sim
