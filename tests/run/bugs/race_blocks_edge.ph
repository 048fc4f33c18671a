// Tiles of 64 at steps of 63: neighbouring CTAs both write the elements where their tiles meet.
//# run X=randn:5 N=200 --grid 4 --device sim expect-error "block (1, 0, 0) writes `Y[63]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel smooth(X: tensor<f32>[N], Y: tensor<f32>[N]) {
  let at = ctx.block.x * 63
  Y[at :+ 64] = X[at :+ 64] * f32(ctx.block.x + 1)
}
