// Where the elements of a tile live. A tile is seen as a matrix of rows (its leading axes together) and columns (its last axis).
// Each axis is a mixed-radix number whose digits are handed out: some to the thread's index, some to the thread's slots:
//
//   position of slot s in thread t  =  sum over thread digits of (t / divisor % count) * stride
//                                    + sum over slot digits of   (s / product of those before % count) * stride
//
// That is linear, covers each position once, and says in one form what blocked layouts (neighbouring threads hold neighbouring
// columns, in groups: coalesced) and the fragments of tensor cores are (PTX ISA, "Matrix Fragments for mma.m16n8k16"). A thread
// holds a slot for each pair of a row slot and a column slot. Slots past the last row or column hold anything.
// Threads that differ only in a digit of no axis, `copies`, hold the same. Along an axis of one element a tile has no digits at all:
// hence the sum of a row is where the row is, and stretching it back over the row moves nothing.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>

namespace phobos::nvptx {

struct Digit {
  std::int64_t divisor, count, stride;
  friend bool operator==(const Digit&, const Digit&) = default;
};
struct Step {
  std::int64_t count, stride;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Axis {
  std::int64_t extent = 1;
  std::vector<Digit> threads;  // none crosses the border of a warp
  std::vector<Step> slots;     // the fastest first

  std::int64_t slot_count() const;
  std::int64_t of_slot(std::int64_t slot) const;
  std::int64_t of_thread(std::int64_t thread) const;
  std::int64_t thread_reach() const;  // one past the furthest of any thread's first slot
  std::int64_t reach() const { return of_slot(slot_count() - 1) + thread_reach(); }
  bool full() const { return reach() <= extent; }
  bool inside(std::int64_t slot) const { return of_slot(slot) + thread_reach() <= extent; }  // for every thread
  std::int64_t run() const { return !slots.empty() && slots.front().stride == 1 ? slots.front().count : 1; }  // neighbours in slots
  friend bool operator==(const Axis&, const Axis&) = default;
};

struct Layout {
  Axis rows, columns;
  std::vector<Digit> copies;  // strides are 0
  std::int64_t slots() const { return rows.slot_count() * columns.slot_count(); }
  std::int64_t vector() const { return columns.run(); }
  friend bool operator==(const Layout&, const Layout&) = default;
};

// Neighbouring threads along a row, `vector` columns each; `across` of them to a row.
Layout blocked(std::int64_t rows, std::int64_t columns, std::int64_t threads, std::int64_t across, std::int64_t vector);
// What is left when the rows are folded: a value a row, in every thread that had part of the row.
Layout folded(const Layout& layout);

// The layout of each tile of a kernel. What an elementwise operation or a loop connects has one layout, so neither ever exchanges;
// the accumulators of a tensor-core contraction have that of the machine; the columns and rows that folds and broadcasts connect
// share their threads where they can.
class Layouts {
 public:
  Layouts(const ir::Kernel& kernel, const passes::Chip& chip);
  const Layout& of(ir::ValueId tile) const { return layouts_[class_of_[tile]]; }

  using Extents = std::pair<std::int64_t, std::int64_t>;  // rows, columns
  static Extents extents(const ir::Type& tile);

 private:
  std::vector<Layout> layouts_;
  IdVector<ir::ValueId, std::uint32_t> class_of_;
};

}  // namespace phobos::nvptx
