// Where buffers lie in shared memory: those whose lives do not overlap may lie in the same place, and what operations exchange lies
// behind the buffers that are alive there. A buffer lives from where it is allocated to the last operation that touches it, and through
// every loop that it is touched in and was made before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <phobos/ir/ir.h>

namespace phobos::nvptx {

class SharedPlan {
 public:
  struct Place {
    std::int64_t offset = 0, bytes = 0;
    std::size_t begin = 0, end = 0;  // of its life, by the order of operations
    std::int64_t granule = 1;        // of the offset
    bool overlaps(std::int64_t from, std::int64_t to) const { return offset < to && from < offset + bytes; }
  };

  explicit SharedPlan(const ir::Kernel& kernel, std::int64_t from = 0);  // buffers lie behind that

  const Place& of(ir::ValueId buffer) const { return places_.at(buffer); }
  bool has(ir::ValueId buffer) const { return places_.contains(buffer); }
  std::int64_t bytes() const { return bytes_; }
  bool reaches(ir::OpId op) const { return position_[op.value] != 0; }  // it is in a region still
  // The first byte behind all that is alive at that operation.
  std::int64_t free_from(ir::OpId op) const;

 private:
  void number(ir::RegionId region, ir::OpId loop);
  void touch(ir::OpId op, ir::ValueId value);
  std::size_t last_of(ir::OpId use, ir::OpId alloc) const;
  void place();

  const ir::Kernel& kernel_;
  std::int64_t from_ = 0;
  std::map<ir::ValueId, Place> places_;
  std::vector<std::size_t> position_, end_;  // by operation; the end of a loop is that of its last operation
  std::vector<ir::OpId> loop_;               // by operation: the innermost around it
  std::size_t count_ = 0;
  std::int64_t bytes_ = 0;
};

// The buffer that a tile lies in and is read from; none for one in registers.
ir::ValueId buffer_of(const ir::Kernel& kernel, ir::ValueId tile);

}  // namespace phobos::nvptx
