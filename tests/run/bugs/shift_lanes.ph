// 1 << 32 is 1 again.
//# run --device sim expect-warning "a shift by 32 in a type of 32 bits counts modulo the width (32 in all, the first in block (0, 0, 0), thread 32)"
@launch(64)
kernel masks(Y: tensor<i32>[64]) {
  let one: i32 = 1
  Y[ctx.thread] = one << i32(ctx.thread)
}
