// Tile contractions. Operands are packed into the order that the inner step reads them in, and widened to what it sums in: f32
// operands to double (so that the result, rounded once, is no less accurate than a chain of fused multiply-adds), f16 and bf16
// to f32, whose products are exact there.
#include "dot.h"

#include <algorithm>

#include "cta.h"
#include "handlers.h"

namespace phobos::sim {
namespace {

struct Extents {
  std::int64_t rows, columns, inner;
  bool transposed;
};

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

// [rows × inner] → strips of 4 rows, k by k.
template <class Sum, class In>
Sum* pack_left(Cta& cta, const In* a, const Extents& extents) {
  const std::int64_t rows = rounded_up(extents.rows, dot_rows);
  auto* packed = reinterpret_cast<Sum*>(cta.pad(0, static_cast<std::size_t>(rows * extents.inner) * sizeof(Sum)));
  for (std::int64_t strip = 0; strip < rows; strip += dot_rows)
    for (std::int64_t r = 0; r < dot_rows; ++r) {
      Sum* to = packed + strip * extents.inner + r;
      const In* from = a + (strip + r) * extents.inner;
      const bool there = strip + r < extents.rows;
      for (std::int64_t k = 0; k < extents.inner; ++k) to[k * dot_rows] = there ? static_cast<Sum>(from[k]) : Sum();
    }
  return packed;
}

// [inner × columns], or [columns × inner], → panels of `width` columns, k by k.
template <class Sum, class In>
Sum* pack_right(Cta& cta, const In* b, const Extents& extents, std::int64_t width) {
  const std::int64_t columns = rounded_up(extents.columns, width);
  auto* packed = reinterpret_cast<Sum*>(cta.pad(1, static_cast<std::size_t>(columns * extents.inner) * sizeof(Sum)));
  for (std::int64_t panel = 0; panel < columns; panel += width) {
    Sum* to = packed + panel * extents.inner;
    const std::int64_t used = std::min(width, extents.columns - panel);
    if (used < width) std::fill_n(to, width * extents.inner, Sum());
    if (extents.transposed) {
      for (std::int64_t j = 0; j < used; ++j)
        for (std::int64_t k = 0; k < extents.inner; ++k) to[k * width + j] = static_cast<Sum>(b[(panel + j) * extents.inner + k]);
    } else {
      for (std::int64_t k = 0; k < extents.inner; ++k)
        for (std::int64_t j = 0; j < used; ++j) to[k * width + j] = static_cast<Sum>(b[k * extents.columns + panel + j]);
    }
  }
  return packed;
}

template <class Sum, class In>
void contract(Cta& cta, const Instr& in, const Extents& extents) {
  constexpr std::int64_t width = dot_bytes / static_cast<std::int64_t>(sizeof(Sum));
  const Sum* a = pack_left<Sum>(cta, cta.at<In>(in.in[0]), extents);
  const Sum* b = pack_right<Sum>(cta, cta.at<In>(in.in[1]), extents, width);
  const In* before = in.in.size() == 3 ? cta.at<In>(in.in[2]) : nullptr;
  In* out = cta.at<In>(in.out);
  const DotStep<Sum> step = dot_step<Sum>();
  alignas(64) Sum block[dot_rows * width];
  for (std::int64_t panel = 0; panel < extents.columns; panel += width)
    for (std::int64_t strip = 0; strip < extents.rows; strip += dot_rows) {
      if (strip % (64 * dot_rows) == 0) cta.machine().check(cta.index());  // it may take long
      const std::int64_t rows = std::min(dot_rows, extents.rows - strip), columns = std::min(width, extents.columns - panel);
      std::fill(std::begin(block), std::end(block), Sum());
      if (before)
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t j = 0; j < columns; ++j)
            block[r * width + j] = static_cast<Sum>(before[(strip + r) * extents.columns + panel + j]);
      step(a + strip * extents.inner, b + panel * extents.inner, extents.inner, block);
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < columns; ++j)
          out[(strip + r) * extents.columns + panel + j] = static_cast<In>(block[r * width + j]);
    }
}

}  // namespace

void run_dot(Cta& cta, const Instr& in, Mask&) {
  const ir::Shape& left = cta.kernel().type(in.op->operands[0]).shape;
  const ir::Shape& result = cta.kernel().type(in.op->results[0]).shape;
  const Extents extents{result[0], result[1], left[1], in.op->immediate == 1};
  switch (in.in[0].element) {
    case ScalarType::F16:
    case ScalarType::BF16: return contract<float, float>(cta, in, extents);
    case ScalarType::F32: return contract<double, float>(cta, in, extents);
    case ScalarType::F64: return contract<double, double>(cta, in, extents);
    case ScalarType::I8:
    case ScalarType::U8:
    case ScalarType::I32: return contract<std::uint32_t, std::int32_t>(cta, in, extents);
    default: return contract<std::uint64_t, std::int64_t>(cta, in, extents);
  }
}

}  // namespace phobos::sim
