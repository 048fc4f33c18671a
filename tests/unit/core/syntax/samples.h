// Sources that the syntax tests take apart.
#pragma once

#include <string>
#include <vector>

inline const std::vector<std::string>& samples() {
  static const std::vector<std::string> all = {
      R"(// Doubles a vector.
//# run N=64 x=iota
@autotune(BLOCK in [256, 4096])
@launch(128)
kernel twice(x: tensor<f32>[N], y: tensor<f32>[N]) {
  let base = ctx.block.x * BLOCK
  y[base :+ BLOCK] = x[base :+ BLOCK] * 2.0 // doubled
}
)",
      R"(fn gelu(x: f32) -> f32 {
  return 0.5 * x * (1.0 + tanh(0.79 * (x + 0.04 * x * x * x)))
}

@launch(64)
kernel mixed(
    X: tensor<f32>[M, 64],
    // where to write
    Y: tensor<f32>[M, 64], n: i32
) {
  var t: tile<f32>[4, 64]
  var s = 0.0; var i = 3
  for<unroll 4> k in range(ctx.lane, n, ctx.lanes) {
    if k % 2 == 0 && !(k > 40) {
      continue
    } else if k == 39 {
      break
    } else {
      s += X[k, ctx.lane] * gelu(s)
    }
  }
  while i > 0 {
    i -= 1
    t[i, ctx.thread] = shfl<xor (1 << i)>(s)
  }
  barrier()
  let total = sum<over ctx.lane>(s) +
    max<over ctx.thread>(s)
  Y[0 :+ 4, :] = t * total
  Y[0 : 4, : 64] = -t
  return
}
)"};
  return all;
}
