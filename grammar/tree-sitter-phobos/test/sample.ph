// One of everything, for the queries.

// Twice the input.
fn twice(x: f32) -> f32 {
  return x * 2.0
}

// Sums the rows of `A`.
@launch(128, 2)
@autotune(T in [32, 64])
@aligned(K = 128)
kernel rows(A: tensor<f32>[M, K], y: tensor<f32>[M, 1]) {
  let row = ctx.block.x * ctx.warps + ctx.warp
  var total: f32 = 0.0
  var t: tile<f32>[T, 4] = A[row :+ T, : 4]
  for<unroll 4> k in range(0, K, ctx.lanes) {
    if k + ctx.lane >= K || !true { // past the end
      break
    } else if k == 1 {
      continue
    } else {
      let two: i32 = 2
    }
    total += twice(A[row, k + ctx.lane])
  }
  while total < -1.0 { total = total + sum(t[0 : 4, :]); }
  total = shfl<xor 1>(total)
  y[row, 0] = sum<over ctx.lane>(total)
}
