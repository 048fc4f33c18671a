// Helpers that passes share.
#pragma once

#include <phobos/ir/ir.h>

namespace phobos::passes {

// Whether an operation only computes: the same operands give the same result, and nobody sees whether it ran.
bool is_pure(const ir::Op& op);

// Where values are read instead of others; chains are followed.
class Replacements {
 public:
  explicit Replacements(const ir::Kernel& kernel) : by_(kernel.values.size()) {}
  void replace(ir::ValueId old, ir::ValueId by) { by_[old] = by; }
  ir::ValueId of(ir::ValueId value) const {
    while (value.value < by_.size() && by_[value].valid()) value = by_[value];
    return value;
  }
  void apply(std::vector<ir::ValueId>& values) const {
    for (ir::ValueId& value : values) value = of(value);
  }

 private:
  IdVector<ir::ValueId, ir::ValueId> by_;
};

}  // namespace phobos::passes
