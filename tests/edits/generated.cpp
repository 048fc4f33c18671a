#include "generated.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace phobos::generated {

namespace {

constexpr std::string_view common_function = R"(// Squashes a value smoothly into -1 to 1, and keeps small ones nearly as they are.
fn common(x: f32, gain: f32) -> f32 {
  let scaled = x * gain
  return scaled / (1.0 + abs(scaled))
}

)";

constexpr std::string_view group_function = R"(// The weight of a sample in group {0}: it falls off with the distance.
fn group{0}(x: f32, center: f32) -> f32 {{
  let distance = abs(x - center)
  if distance > {1}.0 {{
    return 0.0
  }}
  return 1.0 - distance / {1}.0
}}

)";

constexpr std::string_view own_function = R"(// The next step of the sequence that `k{0}` follows.
fn own{0}(n: i32) -> i32 {{
  if n % 2 == 0 {{
    return n / 2
  }}
  return {1} * n + 1
}}

)";

// Each has {0} its number, {1} an expression in f32 `value`, {2} a statement or nothing.
constexpr std::string_view row_sums = R"(// Normalises the rows of X by their root mean square, a warp a row, and weighs the columns.
//
// The lanes of a warp take every 32nd element and add up on their own; the sum over the lanes gives all of them the total.
//# run M=64 N=256 X=randn W=randn eps=1e-5 expect Y=data/k{0}.Y.npy rtol=2e-3
@launch(128)
kernel k{0}(X: tensor<f16>[M, N], W: tensor<f32>[N], Y: tensor<f16>[M, N], eps: f32) {{
  let row = ctx.block.x * ctx.warps + ctx.warp
  if row < M {{
    var squares: f32 = 0.0
    for col in range(ctx.lane, N, ctx.lanes) {{
      let value = f32(X[row, col])
      squares += value * {1}
    }}
    let scale = rsqrt(sum<over ctx.lane>(squares) / f32(N) + eps)
{2}    for col in range(ctx.lane, N, ctx.lanes) {{
      let value = f32(X[row, col]) * scale
      Y[row, col] = {1} * W[col]
    }}
  }}
}}

)";

constexpr std::string_view tiles = R"(// One tile of C = A B + bias, made along K in strips that fit into shared memory.
//
// The edges are masked, so that no extent has to be a multiple of a tile's.
//# run M=128 N=128 K=64 A=randn B=randn bias=ones factor=2.0 expect C=data/k{0}.C.npy rtol=2e-3 atol=2e-3
@launch(128)
@autotune(TM in [64, 32], TN in [64, 32, 128], TK in [32, 16])
kernel k{0}(A: tensor<f16>[M, K], B: tensor<f16>[K, N], bias: tensor<f32>[1, N], C: tensor<f16>[M, N], factor: f32) {{
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  let value = factor + {0}.0
  let weight = {1}
{2}  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {{
    let left = A[row :+ TM, k :+ TK]
    let right = B[k :+ TK, col :+ TN]
    acc += dot(left, right)
  }}
  let shifted = acc * weight + bias[0 :+ 1, col :+ TN]
  C[row :+ TM, col :+ TN] = tmax(shifted, 0.0)
}}

)";

constexpr std::string_view softmax = R"(// The softmax of each row of X, in two passes over rows of any length.
//
// The maximum is kept as it grows, and the sum so far is scaled to it.
//# run M=32 N=500 X=randn value=1.0 expect Y=data/k{0}.Y.npy rtol=1e-5 atol=1e-7
@launch(128)
@autotune(ROWS in [4, 8], COLS in [128, 64, 256])
kernel k{0}(X: tensor<f32>[M, N], Y: tensor<f32>[M, N], value: f32) {{
  let row = ctx.block.x * ROWS
  let heat = {1}
{2}  var top: tile<f32>[ROWS, 1] = -1.0e30
  var total: tile<f32>[ROWS, 1] = 0.0
  for col in range(0, N, COLS) {{
    let inside = col + iota(1, COLS, 1) < N
    let x = where(inside, X[row :+ ROWS, col :+ COLS] * heat, -1.0e30)
    let higher = tmax(top, rowmax(x))
    total = total * exp(top - higher) + rowsum(exp(x - higher))
    top = higher
  }}
  for col in range(0, N, COLS) {{
    Y[row :+ ROWS, col :+ COLS] = exp(X[row :+ ROWS, col :+ COLS] * heat - top) / total
  }}
}}

)";

constexpr std::string_view elements = R"(// Follows each element until it comes to rest or has had its turns, every thread on its own.
//# run N=1000 X=randn most=20 expect Y=data/k{0}.Y.npy rtol=1e-5
@launch(256)
kernel k{0}(X: tensor<f32>[N], Y: tensor<f32>[N], turns: tensor<i32>[N], most: i32) {{
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i >= N {{
    return
  }}
  var value = X[i]
  var turn: i32 = 0
{2}  while turn < most {{
    let next = {1}
    if abs(next - value) < 1.0e-6 {{
      break
    }}
    value = next
    turn += 1
  }}
  turns[i] = turn
  Y[i] = value
}}

)";

std::string kernel(std::size_t i, const Shape& shape) {
  std::string value = "value";
  if (i < shape.callers_of_common) value = fmt::format("common({}, 0.5)", value);
  value = fmt::format("group{}({}, {}.0)", i / 10, value, i % 7);
  std::string statement;
  if (i % 5 == 0) statement = fmt::format("{}let step{} = own{}({})\n", i % 4 == 0 ? "    " : "  ", i, i, i % 100 + 1);
  if (i % 5 == 0 && i % 4 != 0) statement += fmt::format("  let _after = step{} + 1\n", i);
  if (i % 5 == 0 && i % 4 == 0) statement += fmt::format("    let _after = step{} + 1\n", i);
  if (shape.hints && i % 50 == 7) statement += fmt::format("  let forgotten = {}\n", i);
  constexpr std::string_view forms[] = {row_sums, tiles, softmax, elements};
  return fmt::format(fmt::runtime(forms[i % 4]), i, value, statement);
}

}  // namespace

std::string file(const Shape& shape) {
  std::string text = "// Kernels of one library, by number.\n\n";
  if (shape.callers_of_common > 0) text += common_function;
  for (std::size_t i = 0; i < shape.kernels; ++i) {
    if (i % 10 == 0) text += fmt::format(fmt::runtime(group_function), i / 10, i % 9 + 1);
    if (i % 5 == 0) text += fmt::format(fmt::runtime(own_function), i, 2 * (i % 5) + 3);
    text += kernel(i, shape);
  }
  return text;
}

Shape shape_of_lines(std::size_t lines) {
  Shape shape;
  shape.kernels = std::max<std::size_t>(1, lines / 25);
  return shape;
}

}  // namespace phobos::generated
