// Loops over contractions whose operands bulk tensor copies bring: which those are, and what they take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>
#include <phobos/passes/contraction.h>

namespace phobos::passes {

// A kernel as warps with roles of their own run it: one thread asks for copies of the operands into rings of stages, and the threads of
// the program multiply them and do everything else. A CTA does many blocks of the grid, one after the other, so that the copies for
// the next are under way while one is stored. The loop has one of two forms:
//
//   for k { sum += dot(A[…], B[…]) }                            both operands in one ring
//   for k { p = … dot(q, K[…]) …;  sum = f(sum) + dot(p, V[…]) }   a chain: `q` a slice that stays, K and V in a ring each, and what
//                                                                is between the contractions in registers
struct BulkPlan {
  ir::OpId loop;
  ir::OpId dot;    // that adds to what the loop carries
  ir::OpId first;  // of a chain, the contraction before; else none

  struct Operand {
    ir::OpId load, dot;
    std::size_t which = 0;  // of the dot
    Swizzle swizzle;
    std::int64_t bytes = 0;  // of a stage
  };
  // Operands that arrive together, and are given back together.
  struct Ring {
    std::vector<Operand> operands;
    std::int64_t stages = 0;
    bool resident = false;  // loaded once for a block of the grid, not in each turn
    // Behind the operands in a stage: what tf32 leaves of the first. The producer's warps that ask for nothing write it.
    std::int64_t low_bytes = 0;
    std::int64_t copied_bytes() const;
    std::int64_t stage_bytes() const { return copied_bytes() + low_bytes; }
    std::int64_t barriers() const { return low_bytes > 0 ? 3 : 2; }  // of a stage
  };
  std::vector<Ring> rings;
  std::vector<ir::OpId> stores;  // of results that leave by bulk copies
  bool may_repeat = false;       // whether a block may be done twice: the kernel writes nothing of what it reads
  // Teams of the program's threads, which take blocks of the grid in turn: while one multiplies, another stores.
  int teams = 1;
  std::string why_not;  // where there is none

  bool is_chain() const { return first.valid(); }
  bool brings(ir::OpId load) const;
  // One stage less for the rings that have many; false where none has more than two.
  bool shrink();

  static constexpr std::int64_t producers = 128;  // threads beside those of the program
  static constexpr std::int64_t low_threads = 96;  // of those, where they write low parts
  static constexpr std::int64_t box_bytes = 64 * 128, boxes = 2;  // of results on their way out, for each group of 128 threads
  std::int64_t consumers(const ir::Kernel& kernel) const { return std::int64_t{kernel.threads} * teams; }
  std::int64_t groups(const ir::Kernel& kernel) const { return consumers(kernel) / 128; }
  // Bytes of shared memory, in this order: the rings, one behind the other, boxes, barriers.
  std::int64_t ring_at(std::size_t ring) const;
  std::int64_t ring_bytes() const { return ring_at(rings.size()); }
  std::int64_t box_area(const ir::Kernel& kernel) const { return stores.empty() ? 0 : groups(kernel) * boxes * box_bytes; }
  std::int64_t barrier_at(std::size_t ring) const;  // from where they begin
  std::int64_t verdict_at() const { return barrier_at(rings.size()); }  // of a chain: a barrier, and a word behind it
  std::int64_t barrier_bytes() const { return verdict_at() + (is_chain() ? 16 : 0); }
  std::int64_t shared(const ir::Kernel& kernel) const { return ring_bytes() + box_area(kernel) + barrier_bytes(); }
  // Registers of a thread with each role; 0: as many as the launch gives to all.
  int registers_of_consumer(const ir::Kernel& kernel) const;
  int registers_of_producer(const ir::Kernel& kernel) const;
};

// Of a kernel as it is before operands are staged. `kernel`'s dots are marked where there is a plan.
BulkPlan plan_bulk_copies(ir::Kernel& kernel, const Chip& chip);

}  // namespace phobos::passes
