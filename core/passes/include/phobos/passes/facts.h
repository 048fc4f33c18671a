// What is known of integers before the kernel runs: bounds, what they are multiples of, and how far below a dimension they stay. It
// follows from constants, promises (`@aligned`), what the machine counts, and the bounds and steps of loops. So masks can be left out
// and accesses widened.
#pragma once

#include <cstdint>
#include <limits>
#include <map>

#include <phobos/ir/ir.h>

namespace phobos::passes {

struct Fact {
  static constexpr std::int64_t no_least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_most = std::numeric_limits<std::int64_t>::max();
  std::int64_t divisor = 1;  // the value is a multiple of it; 0: of all, being 0
  std::int64_t least = no_least, most = no_most;
  std::map<std::size_t, std::int64_t> below;  // dimension → how far below it at least (negative: above it at most)
};

class Facts {
 public:
  explicit Facts(const ir::Kernel& kernel);

  const Fact& of(ir::ValueId value) const { return facts_[value]; }
  // Of an extent: a number, or a dimension.
  std::int64_t extent_divisor(std::int64_t extent) const;
  bool multiple(ir::ValueId value, std::int64_t of) const { return facts_[value].divisor % of == 0; }
  bool never_negative(ir::ValueId value) const { return facts_[value].least >= 0; }
  bool fits(ir::ValueId start, std::int64_t count, std::int64_t extent) const;  // start + count <= extent
  // The same where that condition holds.
  bool fits_where(ir::ValueId condition, ir::ValueId start, std::int64_t count, std::int64_t extent) const;

 private:
  void region(ir::RegionId id);
  void loop(const ir::Op& op);
  Fact result(const ir::Op& op) const;

  const ir::Kernel& kernel_;
  IdVector<ir::ValueId, Fact> facts_;
};

}  // namespace phobos::passes
