// Rows become columns, through a tile that threads fill and read on their own.
//
// `t` is accessed element by element, so it lives in the CTA's shared memory. Every thread writes some elements of it and then
// reads what other threads wrote; the `barrier()` between makes sure that all of it is there. The checker would not miss it, since
// each access is a thread's own: only the indices tell that they meet.
//
// Neighbouring threads read neighbouring elements of X and write neighbouring elements of Y: that is what the tile is for.
// (`Y[c :+ 32, r :+ 32] = transpose(X[r :+ 32, c :+ 32])` says all of this in one line.)
//# run X=data/transpose.X.npy expect Y=data/transpose.Y.npy rtol=0
@launch(128)
kernel transposed(X: tensor<i32>[M, N], Y: tensor<i32>[N, M]) {
  let row = ctx.block.y * 32
  let col = ctx.block.x * 32
  var t: tile<i32>[32, 32]
  for i in range(ctx.warp, 32, ctx.warps) {
    if row + i < M && col + ctx.lane < N {
      t[i, ctx.lane] = X[row + i, col + ctx.lane]
    }
  }
  barrier()
  for i in range(ctx.warp, 32, ctx.warps) {
    if col + i < N && row + ctx.lane < M {
      Y[col + i, row + ctx.lane] = t[ctx.lane, i]
    }
  }
}
