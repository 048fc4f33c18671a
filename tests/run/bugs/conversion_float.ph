// What does not fit an i8 becomes the nearest that does.
//# run X=iota N=160 --grid 1 --device sim expect-warning "128 does not fit i8 and becomes 127 (32 in all, the first in block (0, 0, 0), thread 128)"
@launch(160)
kernel bytes(X: tensor<f32>[N], Y: tensor<i8>[N]) {
  Y[ctx.thread] = i8(X[ctx.thread])
}
