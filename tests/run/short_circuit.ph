// The right operand of `&&` and `||` runs only where the left one lets it: past the end of X nothing is read.
//# run X=data/short_circuit.X.npy --grid 2 expect Y=data/short_circuit.Y.npy rtol=0
@launch(64)
kernel guarded(X: tensor<i32>[N], Y: tensor<i32>[2, 64]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  var y: i32 = 0
  if i < N && X[i] > 10 && X[i] < 50 {
    y += 1
  }
  if i >= N || X[i] % 2 == 0 {
    y += 2
  }
  let odd = i < N && !(X[i] % 2 == 0)
  if odd || (i >= N && i % 2 == 0) {
    y += 4
  }
  Y[ctx.block.x, ctx.thread] = y
}
