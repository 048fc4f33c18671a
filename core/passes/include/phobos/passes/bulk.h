// Loops over contractions whose operands bulk tensor copies bring: which those are, and what they take.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>
#include <phobos/passes/contraction.h>

namespace phobos::passes {

// A kernel as warps with roles of their own run it: one thread asks for copies of the operands into a ring of stages, and the threads of
// the program multiply them and do everything else. A CTA does many blocks of the grid, one after the other, so that the copies for
// the next are under way while one is stored.
struct BulkPlan {
  ir::OpId loop, dot;
  std::array<ir::OpId, 2> loads;
  std::vector<ir::OpId> stores;  // of results that leave by bulk copies
  // Teams of the program's threads, which take blocks of the grid in turn: while one multiplies, another stores.
  int teams = 1;
  std::int64_t stages = 0;
  std::array<Swizzle, 2> swizzles;
  std::array<std::int64_t, 2> bytes;  // of each operand's stage
  std::string why_not;                // where there is none

  static constexpr std::int64_t producers = 128;  // threads beside those of the program
  static constexpr std::int64_t box_bytes = 64 * 128, boxes = 2;  // of results on their way out, for each group of 128 threads
  std::int64_t consumers(const ir::Kernel& kernel) const { return std::int64_t{kernel.threads} * teams; }
  std::int64_t groups(const ir::Kernel& kernel) const { return consumers(kernel) / 128; }
  // Bytes of shared memory, in this order.
  std::int64_t ring_bytes() const { return stages * (bytes[0] + bytes[1]); }
  std::int64_t box_area(const ir::Kernel& kernel) const { return stores.empty() ? 0 : groups(kernel) * boxes * box_bytes; }
  std::int64_t barrier_bytes() const { return 2 * 8 * stages; }
  std::int64_t shared(const ir::Kernel& kernel) const { return ring_bytes() + box_area(kernel) + barrier_bytes(); }
  // Registers of a thread with each role; 0: as many as the launch gives to all.
  int registers_of_consumer(const ir::Kernel& kernel) const;
  int registers_of_producer(const ir::Kernel& kernel) const;
};

// Of a kernel as it is before operands are staged. `kernel`'s dot is marked where there is a plan.
BulkPlan plan_bulk_copies(ir::Kernel& kernel, const Chip& chip);

}  // namespace phobos::passes
