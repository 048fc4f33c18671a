// Appends operations to a region of a kernel.
#pragma once

#include <initializer_list>
#include <string>

#include <phobos/ir/ir.h>

namespace phobos::ir {

class Builder {
 public:
  explicit Builder(Kernel& kernel) : kernel_(kernel) {}

  Kernel& kernel() { return kernel_; }
  RegionId region() const { return region_; }
  void set_region(RegionId region) { region_ = region; }
  // What operations are made for: where they stand in the source, and the inlined call that they came through.
  struct Where {
    Span span;
    std::uint32_t call = 0;
  };
  void set_where(Where where) { where_ = where; }
  Where where() const { return where_; }
  void set_span(Span span) { where_.span = span; }
  Span span() const { return where_.span; }

  RegionId new_region() { return kernel_.regions.add({}); }
  ValueId add_argument(RegionId region, Type type, Kind kind, std::string name = {});
  // Appends to the current region.
  OpId op(Opcode code, std::vector<ValueId> operands, std::int64_t immediate = 0);
  ValueId add_result(OpId op, Type type, Kind kind, std::string name = {});

  // One result, its kind the join of the operands' (tiles and buffers are uniform).
  ValueId value(Opcode code, Type type, std::vector<ValueId> operands, std::int64_t immediate = 0);
  ValueId value(Opcode code, Type type, Kind kind, std::vector<ValueId> operands, std::int64_t immediate = 0);
  ValueId integer(ScalarType type, std::int64_t value);  // also bool
  ValueId real(ScalarType type, double value);

 private:
  Kernel& kernel_;
  RegionId region_;
  Where where_;
};

}  // namespace phobos::ir
