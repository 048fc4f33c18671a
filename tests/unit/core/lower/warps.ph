@launch(64)
kernel warps(W: tensor<i8>[N, K], x: tensor<i8>[1, K], O: tensor<i32>[N]) {
  let row = ctx.block.x * ctx.warps + ctx.warp
  if row < N {
    var acc: i32 = 0
    for k in range(ctx.lane * 4, K, ctx.lanes * 4) {
      acc += sum(W[row, k :+ 4] * x[0, k :+ 4])
    }
    let total = sum<over ctx.lane>(acc) + shfl<xor 1>(acc)
    if ctx.lane == 0 {
      O[row] = total
    }
  }
}
