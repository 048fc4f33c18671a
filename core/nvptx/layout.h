// Where the elements of a tile live. A tile is seen as a matrix of rows (its leading axes together) and columns (its last axis),
// and the threads of the CTA as a grid of row_threads x column_threads, columns fastest. A thread holds a slot for each
// row_threads-th row and, in groups of `vector` neighbours, for each column_threads-th group of columns:
//
//   slot (i, j) of thread t:  row    = i * row_threads + t / column_threads
//                             column = ((j / vector) * column_threads + t % column_threads) * vector + j % vector
//
// So neighbouring threads hold neighbouring columns (coalesced), a row lies within as few warps as it can (folds are shuffles), and
// what a thread holds is a block (a contraction reuses what it reads). Slots past the last row or column hold anything.
// Along an axis of one element a tile is replicated: every thread holds it. Hence the sum of a row is where the row is, and
// stretching it back over the row moves nothing.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <phobos/ir/ir.h>

namespace phobos::nvptx {

struct Layout {
  std::int64_t rows = 1, columns = 1;
  std::int64_t row_threads = 1, column_threads = 1;
  std::int64_t vector = 1;

  std::int64_t row_slots() const { return (rows + row_threads - 1) / row_threads; }
  std::int64_t column_slots() const {
    const std::int64_t step = column_threads * vector;
    return (columns + step - 1) / step * vector;
  }
  std::int64_t slots() const { return row_slots() * column_slots(); }
  // Whether every thread's slots along that axis hold elements.
  bool rows_full() const { return rows == 1 || rows % row_threads == 0; }
  bool columns_full() const { return columns == 1 || columns % (column_threads * vector) == 0; }
  bool same_rows(const Layout& other) const { return rows == other.rows && (rows == 1 || row_threads == other.row_threads); }
  bool same_columns(const Layout& other) const {
    return columns == other.columns && (columns == 1 || (column_threads == other.column_threads && vector == other.vector));
  }
  bool same(const Layout& other) const { return same_rows(other) && same_columns(other); }
};

// The layout of each tile shape of a kernel. Tiles of one shape share one, so elementwise operations never exchange; the columns
// and rows that folds and broadcasts connect share their threads where they can.
class Layouts {
 public:
  explicit Layouts(const ir::Kernel& kernel);
  const Layout& of(const ir::Type& tile) const { return layouts_.at(extents(tile)); }

  using Extents = std::pair<std::int64_t, std::int64_t>;  // rows, columns
  static Extents extents(const ir::Type& tile);

 private:
  void connect(const ir::Kernel& kernel);

  std::int64_t threads_;
  std::map<Extents, Layout> layouts_;
};

}  // namespace phobos::nvptx
