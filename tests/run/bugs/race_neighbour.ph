// Each thread reads what its neighbour wrote, and nobody waited for the neighbour.
//# run X=iota Y=zeros --device sim expect-error "reads `t[0, 1]`, which thread 1 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel neighbours(X: tensor<f32>[64], Y: tensor<f32>[64]) {
  var t: tile<f32>[1, 64] = 0.0
  t[0, ctx.thread] = X[ctx.thread]
  Y[ctx.thread] = t[0, (ctx.thread + 1) % 64]
}
