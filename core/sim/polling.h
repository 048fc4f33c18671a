// Loops that do nothing but wait until somebody changes an element, and read it plainly.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <phobos/ir/ir.h>

#include "demand.h"

namespace phobos::sim {

// Whether an operation changes memory.
bool writes(ir::Opcode code);

class Polling {
 public:
  // `written`: the buffers that the kernel changes.
  Polling(const ir::Kernel& kernel, const Demand& demand, const IdVector<ir::ValueId, bool>& written)
      : kernel_(kernel), demand_(demand), written_(written) {}

  // What the loop asks again and again: a read that does not depend on how often it has gone round, where that alone, or beside a
  // count, decides whether it goes on. Null for a loop that does something: it writes, orders memory, or reads from place to place.
  const ir::Op* find(const ir::Op& loop);
  // All of them; behind a find() that has found one.
  const std::vector<const ir::Op*>& reads() const { return reads_; }

 private:
  void enter(const ir::Op& op);
  void look(const ir::Op& op, bool decides);
  bool stays(ir::ValueId value) const { return !changes_.contains(value.value); }

  const ir::Kernel& kernel_;
  const Demand& demand_;
  const IdVector<ir::ValueId, bool>& written_;
  std::set<std::uint32_t> changes_;  // values that may be others in each round, of themselves
  std::set<std::uint32_t> asked_;    // values that come of the read, and do not change otherwise
  std::vector<const ir::Op*> reads_;
  bool acts_ = false, leaves_ = false;
  bool tests_ = false, decided_ = false;  // whether something is asked of the read; in the condition of a `while`
};

}  // namespace phobos::sim
