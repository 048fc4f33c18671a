// Slices, once per CTA. Each axis is clipped to the buffer first; what is left is copied a row at a time.
#include <algorithm>

#include "cta.h"
#include "element.h"
#include "handlers.h"
#include "observe.h"
#include "turns.h"

namespace phobos::sim {
namespace {

// A slice of a buffer in four axes, those that are missing in front.
struct Slice {
  std::array<std::int64_t, 4> start{}, extent{1, 1, 1, 1}, tile{1, 1, 1, 1};
  std::array<std::int64_t, 4> low{}, high{};  // of the tile: what lies in the buffer

  void clip() {
    for (std::size_t i = 0; i < 4; ++i) {
      low[i] = start[i] < 0 ? (start[i] < -tile[i] ? tile[i] : -start[i]) : 0;
      const std::int64_t room = start[i] >= extent[i] ? 0 : start[i] < 0 ? extent[i] - std::max(start[i], -tile[i]) : extent[i] - start[i];
      high[i] = std::max(low[i], std::min(tile[i], room));
    }
  }
  std::int64_t offset(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (((start[0] + i) * extent[1] + start[1] + j) * extent[2] + start[2] + k) * extent[3] + start[3] + low[3];
  }
  bool inside(std::size_t axis, std::int64_t i) const { return i >= low[axis] && i < high[axis]; }
};

Slice slice_of(Cta& cta, const Instr& in, std::size_t first, const ir::Shape& shape, const Mask& mask) {
  const BufferRef& buffer = cta.buffer(in.in[0]);
  Slice slice;
  const std::size_t rank = shape.size(), shift = 4 - rank;
  for (std::size_t i = 0; i < rank; ++i) {
    slice.start[shift + i] = cta.whole(in.in[first + i], mask);
    slice.extent[shift + i] = buffer.extents[i];
    slice.tile[shift + i] = shape[i];
  }
  slice.clip();
  return slice;
}

// f(position in the tile, whether the row lies in the buffer in its outer axes, its offset there)
template <class F>
void each_row(const Slice& slice, F&& f) {
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < slice.tile[0]; ++i)
    for (std::int64_t j = 0; j < slice.tile[1]; ++j)
      for (std::int64_t k = 0; k < slice.tile[2]; ++k, at += slice.tile[3]) {
        const bool there = slice.inside(0, i) && slice.inside(1, j) && slice.inside(2, k) && slice.low[3] < slice.high[3];
        f(at, there, there ? slice.offset(i, j, k) : 0);
      }
}

}  // namespace

void run_tile_load(Cta& cta, const Instr& in, Mask& mask) {
  const Slice slice = slice_of(cta, in, 1, cta.kernel().type(in.op->results[0]).shape, mask);
  const std::byte* data = cta.buffer(in.in[0]).data;
  Holes holes;
  with_element(in.out.element, [&](auto element) {
    using E = decltype(element);
    using Held = typename E::Held;
    auto* tile = cta.at<Held>(in.out);
    each_row(slice, [&](std::int64_t at, bool there, std::int64_t offset) {
      Held* row = tile + at;
      if (!there) {
        std::fill_n(row, slice.tile[3], Held());
        return;
      }
      const auto* from = reinterpret_cast<const typename E::Raw*>(data) + offset;
      if (in.watch) observe_row_read(cta, in, offset, slice.high[3] - slice.low[3]);
      if (in.watch & watch_unset) add_holes(cta, in, at + slice.low[3], offset, slice.high[3] - slice.low[3], holes);
      std::fill(row, row + slice.low[3], Held());
      for (std::int64_t i = 0; i < slice.high[3] - slice.low[3]; ++i) row[slice.low[3] + i] = E::load(from[i]);
      std::fill(row + slice.high[3], row + slice.tile[3], Held());
    });
  });
  if (!holes.at.empty()) cta.holes().set(in.out, std::move(holes));
}

void run_tile_store(Cta& cta, const Instr& in, Mask& mask) {
  const Slice slice = slice_of(cta, in, 2, cta.kernel().type(in.op->operands[1]).shape, mask);
  std::byte* data = cta.buffer(in.in[0]).data;
  if (cta.turns() && cta.kernel().type(in.op->operands[0]).space == ir::Type::Space::Global) cta.turns()->wrote();
  const Holes* holes = cta.holes().any() ? cta.holes().find(in.in[1]) : nullptr;
  with_element(in.in[1].element, [&](auto element) {
    using E = decltype(element);
    const auto* tile = cta.at<typename E::Held>(in.in[1]);
    each_row(slice, [&](std::int64_t at, bool there, std::int64_t offset) {
      if (!there) return;
      auto* to = reinterpret_cast<typename E::Raw*>(data) + offset;
      const auto* row = tile + at + slice.low[3];
      const std::int64_t count = slice.high[3] - slice.low[3];
      if (!in.watch) {
        if (holes) observe_holes(cta, in, *holes, at + slice.low[3], offset, count);
        for (std::int64_t i = 0; i < count; ++i) to[i] = E::store(row[i]);
        return;
      }
      auto* raw = reinterpret_cast<typename E::Raw*>(cta.pad(3, static_cast<std::size_t>(count) * sizeof(typename E::Raw)));
      for (std::int64_t i = 0; i < count; ++i) raw[i] = E::store(row[i]);
      observe_row_write(cta, in, offset, count, reinterpret_cast<const std::byte*>(raw), reinterpret_cast<std::byte*>(to), sizeof *raw);
      if (holes) observe_holes(cta, in, *holes, at + slice.low[3], offset, count);
    });
  });
}

}  // namespace phobos::sim
