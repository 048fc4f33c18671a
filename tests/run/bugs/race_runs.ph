// Runs that overlap by an element: the neighbour's first is this thread's last.
//# run X=randn:3 --device sim expect-error "which thread 0 wrote, with no `barrier()` between"
@launch(32)
kernel overlapping(X: tensor<f32>[160], Y: tensor<f32>[160]) {
  let at = ctx.thread * 3
  store(Y, at, elem(X, at :+ 4) * f32(ctx.thread + 1))
}
