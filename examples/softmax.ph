// The softmax of each row, in two passes over rows of any length.
//
// The first pass keeps a running maximum and the sum of exponentials relative to it; when the maximum grows, the sum so far is
// rescaled. Both are tiles with one element a row, and broadcasting stretches them over the columns. The second pass reads the
// rows again and writes the result.
//
// Past the end of a row a slice reads 0, which is not the identity of a maximum, so the first pass masks those columns itself.
//# run X=data/softmax.X.npy expect Y=data/softmax.Y.npy rtol=1e-5 atol=1e-7
//# run ROWS=8 COLS=64 X=data/softmax.X.npy expect Y=data/softmax.Y.npy rtol=1e-5 atol=1e-7
@launch(128)
@autotune(ROWS in [4, 8], COLS in [128, 64, 256])
kernel softmax(X: tensor<f32>[M, N], Y: tensor<f32>[M, N]) {
  let row = ctx.block.x * ROWS
  var top: tile<f32>[ROWS, 1] = -1.0e30
  var total: tile<f32>[ROWS, 1] = 0.0
  for col in range(0, N, COLS) {
    let inside = col + iota(1, COLS, 1) < N
    let x = where(inside, X[row :+ ROWS, col :+ COLS], -1.0e30)
    let higher = tmax(top, rowmax(x))
    total = total * exp(top - higher) + rowsum(exp(x - higher))
    top = higher
  }
  for col in range(0, N, COLS) {
    Y[row :+ ROWS, col :+ COLS] = exp(X[row :+ ROWS, col :+ COLS] - top) / total
  }
}
