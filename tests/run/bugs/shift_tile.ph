// A count that is read from memory.
//# run X=full:9 S=full:-1 N=32 --device sim expect-warning "a shift by -1 in a type of 32 bits counts modulo the width (32 in all"
@launch(32)
kernel shifted(X: tensor<i32>[N], S: tensor<i32>[N], Y: tensor<i32>[N]) {
  let at = ctx.block.x * 32
  Y[at :+ 32] = X[at :+ 32] >> S[at :+ 32]
}
