// The square of a large index loses its upper bits in an i32.
//# run --grid 1 --device sim expect-warning "10000000000 does not fit i32 and becomes 1410065408 (32 in all"
@launch(32)
kernel squares(Y: tensor<i32>[32]) {
  let x = i64(ctx.thread) + 100000
  Y[ctx.thread] = i32(x * x)
}
