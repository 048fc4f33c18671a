// A thread's own divisor is 0.
//# run X=iota --device sim expect-error "integer division by zero (block (0, 0, 0), thread 5)"
@launch(32)
kernel shares(X: tensor<i32>[32], Y: tensor<i32>[32]) {
  Y[ctx.thread] = 100 / (X[ctx.thread] - 5)
}
