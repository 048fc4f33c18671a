// Root-mean-square normalisation, a warp a row.
//
// There is no tile here: every statement is one thread's own. The 32 lanes of a warp take every 32nd element of their row, add
// up squares on their own, and `sum<over ctx.lane>` gives all of them the total. It needs every lane of the warp, which is why
// it may stand under `if row < M`: `row` is the same across a warp, so a warp goes in as a whole or not at all.
//# run X=data/rmsnorm.X.npy g=data/rmsnorm.g.npy eps=1e-5 expect Y=data/rmsnorm.Y.npy rtol=2e-3 atol=1e-4
@launch(128)
kernel rmsnorm(X: tensor<f16>[M, N], g: tensor<f32>[N], Y: tensor<f16>[M, N], eps: f32) {
  let row = ctx.block.x * ctx.warps + ctx.warp
  if row < M {
    var squares: f32 = 0.0
    for col in range(ctx.lane, N, ctx.lanes) {
      let x = f32(X[row, col])
      squares += x * x
    }
    let scale = rsqrt(sum<over ctx.lane>(squares) / f32(N) + eps)
    for col in range(ctx.lane, N, ctx.lanes) {
      Y[row, col] = f32(X[row, col]) * scale * g[col]
    }
  }
}
