// With data that is all alike the second round stores what is there already. A neighbour may still be reading it, as it would with
// any other data.
//# run X=ones Y=zeros --grid 1 --device sim expect-error "with no `barrier()` between"
@launch(64)
kernel rounds(X: tensor<f32>[4, 64], Y: tensor<f32>[64]) {
  var t: tile<f32>[1, 64] = 0.0
  var total = 0.0
  for i in range(0, 4) {
    t[0, ctx.thread] = X[i, ctx.thread]
    barrier()
    total += t[0, 63 - ctx.thread]
  }
  Y[ctx.thread] = total
}
