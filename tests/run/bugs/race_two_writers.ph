// All lanes of a warp write one element, each another value: which one stays is anybody's guess.
//# run --device sim expect-error "thread 1 writes `Y[0]`, which thread 0 wrote"
@launch(64)
kernel last_one(Y: tensor<i32>[2]) {
  Y[ctx.warp] = i32(ctx.lane)
}
