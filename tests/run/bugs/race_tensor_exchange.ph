// Threads exchange values by way of a tensor; a warp may have run ahead. A shuffle orders no memory.
//# run X=iota Y=zeros --device sim expect-error "reads `Y[32]`, which thread 32 wrote"
@launch(64)
kernel swapped(X: tensor<i32>[64], Y: tensor<i32>[64], Z: tensor<i32>[64]) {
  Y[ctx.thread] = X[ctx.thread] * 2
  let other = shfl<xor 1>(X[ctx.thread])
  Z[ctx.thread] = Y[(ctx.thread + 32) % 64] + other
}
