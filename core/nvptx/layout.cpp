#include "layout.h"

#include <algorithm>
#include <set>

namespace phobos::nvptx {

namespace {

constexpr std::int64_t warp = 32;

// The layout that suits a shape on its own.
Layout natural(Layouts::Extents extents, std::int64_t threads) {
  Layout layout;
  layout.rows = extents.first;
  layout.columns = extents.second;
  layout.vector = 4;
  while (layout.vector > 1 &&
         (layout.columns % layout.vector != 0 || layout.rows * layout.columns / layout.vector < threads))
    layout.vector /= 2;
  const std::int64_t groups = layout.columns / layout.vector;
  std::int64_t across = 1;
  while (across < warp && across < groups) across *= 2;
  if (across == warp)  // more warps to a row while there are not rows enough for them
    for (std::int64_t warps = 1; warps <= threads / warp; ++warps) {
      if ((threads / warp) % warps != 0) continue;
      across = warps * warp;
      if (threads / across <= layout.rows || across >= groups) break;
    }
  layout.column_threads = across;
  layout.row_threads = threads / across;
  return layout;
}

Layout with_column_threads(Layout layout, std::int64_t across, std::int64_t threads) {
  layout.column_threads = across;
  layout.row_threads = threads / across;
  layout.vector = 4;
  while (layout.vector > 1 && (layout.columns % layout.vector != 0 || layout.vector * across > layout.columns)) layout.vector /= 2;
  return layout;
}

}  // namespace

Layouts::Extents Layouts::extents(const ir::Type& tile) {
  Extents extents{1, tile.shape.empty() ? 1 : tile.shape.back()};
  for (std::size_t i = 0; i + 1 < tile.shape.size(); ++i) extents.first *= tile.shape[i];
  return extents;
}

Layouts::Layouts(const ir::Kernel& kernel) : threads_(kernel.threads) {
  for (const ir::Value& value : kernel.values)
    if (value.type.is_tile()) layouts_.try_emplace(extents(value.type), natural(extents(value.type), threads_));
  connect(kernel);
}

void Layouts::connect(const ir::Kernel& kernel) {
  std::map<std::int64_t, std::set<std::int64_t>> widths;  // of the matrices that a column of so many rows meets
  std::map<std::int64_t, std::int64_t> heights;           // of the tallest matrix that a row of so many columns is stretched to
  for (const ir::Op& op : kernel.ops) {
    const bool fold = op.code == ir::Opcode::RowFold || op.code == ir::Opcode::RowArgMax;
    if ((!fold && op.code != ir::Opcode::Broadcast) || op.operands.empty() || op.results.empty()) continue;
    Extents wide = extents(kernel.type(op.operands[0])), narrow = extents(kernel.type(op.results[0]));
    if (!fold) std::swap(wide, narrow);
    if (narrow.second == 1 && wide.second > 1 && narrow.first > 1 && narrow.first == wide.first)
      widths[narrow.first].insert(wide.second);
    if (narrow.first == 1 && narrow.second > 1 && narrow.second == wide.second && wide.first > 1)
      heights[narrow.second] = std::max(heights[narrow.second], wide.first);
  }
  for (const auto& [rows, columns] : widths) {
    const std::int64_t across = layouts_.at({rows, *columns.rbegin()}).column_threads;
    for (const std::int64_t width : columns) {
      Layout& layout = layouts_.at({rows, width});
      if (layout.column_threads != across && width * 2 >= across) layout = with_column_threads(layout, across, threads_);
    }
    Layout& column = layouts_.at({rows, 1});
    column.column_threads = across;
    column.row_threads = threads_ / across;
  }
  for (const auto& [columns, rows] : heights) {
    Layout layout = layouts_.at({rows, columns});
    layout.rows = 1;
    layouts_.at({1, columns}) = layout;
  }
}

}  // namespace phobos::nvptx
