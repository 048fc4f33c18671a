// The first thread's left neighbour is not there.
//# run X=iota --device sim expect-error "`X` is accessed before the start: index -1 of axis 0, whose extent is 64 (block (0, 0, 0), thread 0)"
@launch(64)
kernel left(X: tensor<f32>[64], Y: tensor<f32>[64]) {
  Y[ctx.thread] = X[ctx.thread - 1]
}
