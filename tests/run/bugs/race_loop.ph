// One barrier in a loop that needs two: the next turn's store may come before another thread has read this turn's value.
//# run X=iota --device sim expect-error "which thread 1 read, with no `barrier()` between"
@launch(64)
kernel shifts(X: tensor<f32>[1, 64], Y: tensor<f32>[64]) {
  var t: tile<f32>[1, 64] = X[:, 0 :+ 64]
  var mine = X[0, ctx.thread]
  for i in range(0, 4) {
    t[0, ctx.thread] = mine
    barrier()
    mine += t[0, (ctx.thread + 63) % 64]
  }
  Y[ctx.thread] = mine
}
