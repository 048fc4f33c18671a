// Shapes and folds of tiles. Float sums are taken in double and rounded once.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "cta.h"
#include "element.h"
#include "extremes.h"
#include "handlers.h"
#include "rounding.h"

namespace phobos::sim {
namespace {

const ir::Shape& shape_of(Cta& cta, ir::ValueId value) { return cta.kernel().type(value).shape; }

// What a sum is kept in while it grows.
template <class T>
using Total = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

// A sum as an element: rounded once, to 16 bits too.
template <class T>
T rounded(ScalarType element, Total<T> total) {
  if constexpr (std::is_same_v<T, float>) return round_to(element, total);
  else return static_cast<T>(total);
}

// NaN gives way to any number, and of two zeros the sign decides, so that the order does not matter.
template <class T, auto better>
T extreme(const T* values, std::int64_t n, std::int64_t stride) {
  constexpr std::int64_t width = 16;
  if (stride != 1 || n < 2 * width) {
    T best = values[0];
    for (std::int64_t i = 1; i < n; ++i) best = better(best, values[i * stride]);
    return best;
  }
  T best[width];
  std::copy_n(values, width, best);
  for (std::int64_t i = width; i < n; i += width) {
    const T* next = values + std::min(i, n - width);  // the last ones overlap
    for (std::int64_t j = 0; j < width; ++j) best[j] = better(best[j], next[j]);
  }
  for (std::int64_t j = 1; j < width; ++j) best[0] = better(best[0], best[j]);
  return best[0];
}

template <class T>
T fold(ir::FoldOp op, ScalarType element, const T* values, std::int64_t n, std::int64_t stride) {
  if (op == ir::FoldOp::Max) return extreme<T, maximum<T>>(values, n, stride);
  if (op == ir::FoldOp::Min) return extreme<T, minimum<T>>(values, n, stride);
  Total<T> total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += static_cast<Total<T>>(values[i * stride]);
  return rounded<T>(element, total);
}

}  // namespace

void run_extent(Cta& cta, const Instr& in, Mask&) {
  const auto axis = static_cast<std::size_t>(in.op->immediate);
  const ir::Type& type = cta.kernel().type(in.op->operands[0]);
  const std::int64_t extent = type.is_buffer() ? cta.buffer(in.in[0]).extents[axis] : type.shape[axis];
  std::fill_n(cta.at<std::int64_t>(in.out), in.out.lanes, extent);
}

void run_splat(Cta& cta, const Instr& in, Mask& mask) {
  with_store(in.out.store, [&]<class T>(T*) {
    T* out = cta.at<T>(in.out);
    if (cta.kernel().type(in.op->results[0]).is_tile()) {
      std::fill_n(out, in.out.rows, cta.at<T>(in.in[0])[cta.any_lane(in.in[0], mask)]);
      if (in.watch & watch_unset) {
        Holes holes{std::vector<std::int32_t>(static_cast<std::size_t>(in.out.rows)), cta.number_of(in), in.op->results[0].value, false};
        std::iota(holes.at.begin(), holes.at.end(), 1);
        cta.holes().set(in.out, std::move(holes));
      }
      return;
    }
    const auto* lanes = static_cast<const T*>(spread(cta, in.in[0], in.out.lanes, 0));
    for (std::int64_t row = 0; row < in.out.rows; ++row) std::copy_n(lanes, in.out.lanes, out + row * in.out.lanes);
  });
}

void run_broadcast(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape &from = shape_of(cta, in.op->operands[0]), &to = shape_of(cta, in.op->results[0]);
  std::array<std::int64_t, 4> extent{1, 1, 1, 1}, stride{};
  std::int64_t step = 1;
  for (std::size_t i = to.size(); i-- > 0;) {
    extent[4 - to.size() + i] = to[i];
    stride[4 - to.size() + i] = from[i] == 1 ? 0 : step;
    step *= from[i];
  }
  with_store(in.out.store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    T* out = cta.at<T>(in.out);
    for (std::int64_t i = 0; i < extent[0]; ++i)
      for (std::int64_t j = 0; j < extent[1]; ++j)
        for (std::int64_t k = 0; k < extent[2]; ++k, out += extent[3]) {
          const T* row = x + i * stride[0] + j * stride[1] + k * stride[2];
          if (stride[3] == 0) std::fill_n(out, extent[3], *row);
          else std::copy_n(row, extent[3], out);
        }
  });
}

void run_reshape(Cta& cta, const Instr& in, Mask&) { std::memcpy(cta.raw(in.out), cta.raw(in.in[0]), in.out.bytes()); }

void run_transpose(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape& shape = shape_of(cta, in.op->operands[0]);
  constexpr std::int64_t block = 16;
  with_store(in.out.store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    T* out = cta.at<T>(in.out);
    for (std::int64_t r = 0; r < shape[0]; r += block)
      for (std::int64_t c = 0; c < shape[1]; c += block)
        for (std::int64_t i = r; i < std::min(r + block, shape[0]); ++i)
          for (std::int64_t j = c; j < std::min(c + block, shape[1]); ++j) out[j * shape[0] + i] = x[i * shape[1] + j];
  });
}

void run_iota(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape& shape = shape_of(cta, in.op->results[0]);
  const auto axis = static_cast<std::size_t>(in.op->immediate);
  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  with_store(in.out.store, [&]<class T>(T*) {
    T* out = cta.at<T>(in.out);
    for (std::int64_t i = 0; i < in.out.rows; ++i) out[i] = static_cast<T>(i / inner % shape[axis]);
  });
  if (in.narrow) in.narrow(cta.raw(in.out), in.out.rows);
}

void run_tril(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape& shape = shape_of(cta, in.op->results[0]);
  with_store(in.out.store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    T* out = cta.at<T>(in.out);
    for (std::int64_t i = 0; i < shape[0]; ++i, x += shape[1], out += shape[1])
      for (std::int64_t j = 0; j < shape[1]; ++j) out[j] = j <= i ? x[j] : T();
  });
}

void run_row_fold(Cta& cta, const Instr& in, Mask&) {
  const std::int64_t columns = shape_of(cta, in.op->operands[0]).back();
  with_store(in.out.store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    T* out = cta.at<T>(in.out);
    for (std::int64_t i = 0; i < in.out.rows; ++i) out[i] = fold(static_cast<ir::FoldOp>(in.op->immediate), in.out.element, x + i * columns, columns, 1);
  });
  if (in.narrow) in.narrow(cta.raw(in.out), in.out.rows);
}

void run_row_argmax(Cta& cta, const Instr& in, Mask&) {
  const std::int64_t columns = shape_of(cta, in.op->operands[0]).back();
  with_store(in.in[0].store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    auto* out = cta.at<std::int32_t>(in.out);
    for (std::int64_t i = 0; i < in.out.rows; ++i, x += columns) {
      std::int64_t best = 0;
      for (std::int64_t j = 1; j < columns; ++j)
        if (x[j] > x[best] || (x[best] != x[best] && x[j] == x[j])) best = j;
      out[i] = static_cast<std::int32_t>(best);
    }
  });
}

void run_cumsum(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape& shape = shape_of(cta, in.op->results[0]);
  with_store(in.out.store, [&]<class T>(T*) {
    const T* x = cta.at<T>(in.in[0]);
    T* out = cta.at<T>(in.out);
    const auto columns = static_cast<std::size_t>(shape[1]);
    auto* totals = reinterpret_cast<Total<T>*>(cta.pad(0, columns * sizeof(Total<T>)));
    std::fill_n(totals, columns, Total<T>());
    for (std::int64_t i = 0; i < shape[0]; ++i, x += columns, out += columns)
      for (std::size_t j = 0; j < columns; ++j) {
        totals[j] += static_cast<Total<T>>(x[j]);
        out[j] = rounded<T>(in.out.element, totals[j]);
      }
  });
  if (in.narrow) in.narrow(cta.raw(in.out), in.out.rows);
}

void run_run_fold(Cta& cta, const Instr& in, Mask&) {
  with_store(in.out.store, [&]<class T>(T*) {
    const auto* x = static_cast<const T*>(spread(cta, in.in[0], in.out.lanes, 0));
    T* out = cta.at<T>(in.out);
    for (std::int64_t lane = 0; lane < in.out.lanes; ++lane)
      out[lane] = fold(static_cast<ir::FoldOp>(in.op->immediate), in.out.element, x + lane, in.in[0].rows, in.out.lanes);
  });
  if (in.narrow) in.narrow(cta.raw(in.out), in.out.lanes);
}

}  // namespace phobos::sim
