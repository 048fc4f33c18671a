// The last threads have no element.
//# run X=iota N=100 --grid 2 --device sim expect-error "`X` is accessed past the end: index 100 of axis 0, whose extent is 100 (block (1, 0, 0), thread 36)"
@launch(64)
kernel halve(X: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  X[i] = 0.5 * X[i]
}
