// The order in which the CTAs of a contraction walk the grid, where the program does not say it. As the card numbers them, those that run
// at the same time would share one row of blocks of the first operand and read all of the second; in bands of rows a wave of them covers
// a square of the result, and what it reads stays in the L2 cache.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;

namespace {

constexpr double wave = 128;  // CTAs that run at the same time, about

// 0: the order stays. A wave of g by wave / g tiles of m x n reads least where both sides are as long.
// Blocks are taken to go down the rows in y, as they mostly do; another use is right as well.
std::int64_t square_band(const ir::Kernel& kernel) {
  bool x = false, y = false;
  double ratio = 0;
  std::int64_t work = 0;
  for (const ir::Op& op : kernel.ops) {
    if (op.code == Opcode::Ctx) {
      x |= op.immediate == static_cast<std::int64_t>(ir::CtxValue::BlockX);
      y |= op.immediate == static_cast<std::int64_t>(ir::CtxValue::BlockY);
    }
    if (op.code != Opcode::Dot) continue;
    const ir::Shape& shape = kernel.type(op.results[0]).shape;
    if (shape[0] * shape[1] <= work) continue;
    work = shape[0] * shape[1];
    ratio = static_cast<double>(shape[1]) / static_cast<double>(shape[0]);
  }
  if (!x || !y || work == 0) return 0;
  return std::int64_t{1} << std::clamp(std::lround(std::log2(wave * ratio) / 2), 0L, 6L);  // near its root, a power of two
}

}  // namespace

std::int64_t band_of(const ir::Kernel& kernel) {
  constexpr std::int64_t most = 65535;  // rows of a grid
  return kernel.band > 0 ? std::min(kernel.band, most) : square_band(kernel);
}

void Emitter::note_band() {
  current_ = nullptr;
  if (const std::int64_t band = band_of(kernel_); band > 1)
    decide(ir::Decision::Kind::Grid, "order of the CTAs", fmt::format("down the columns of bands of {} rows", band));
}

}  // namespace phobos::nvptx
