// A tile that hangs over the edge reads 0 there, and divides by it.
//# run X=full:4 N=40 --device sim expect-error "integer division by zero"
@launch(32)
kernel quarters(X: tensor<i32>[N], Y: tensor<i32>[N]) {
  let at = ctx.block.x * 32
  Y[at :+ 32] = 100 / X[at :+ 32]
}
