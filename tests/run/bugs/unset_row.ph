// Half of the tile is written, all of it is read.
//# run X=iota --device sim expect-error "`t[0, 32]` is read, and nothing has written it (thread 0, block (0, 0, 0))"
@launch(64)
kernel half(X: tensor<f32>[64], Y: tensor<f32>[64]) {
  var t: tile<f32>[1, 64]
  if ctx.thread < 32 {
    t[0, ctx.thread] = X[ctx.thread]
  }
  barrier()
  Y[ctx.thread] = t[0, (ctx.thread + 32) % 64]
}
