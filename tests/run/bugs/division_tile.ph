// One of the divisors is 0. (Those past the edge are too, and nothing comes of them.)
//# run X=iota N=40 --device sim expect-error "integer division by zero"
@launch(32)
kernel shares(X: tensor<i32>[N], Y: tensor<i32>[N]) {
  let at = ctx.block.x * 32
  Y[at :+ 32] = 100 / X[at :+ 32]
}
