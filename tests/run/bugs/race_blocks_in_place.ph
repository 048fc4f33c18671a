// In place, with a halo: a CTA reads the first element of the next one's part, which that one may have overwritten.
//# run X=iota N=256 --grid 4 --device sim expect-error "which block"
@launch(64)
kernel differences(X: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  var next: f32 = 0.0
  if i + 1 < N {
    next = X[i + 1]
  }
  barrier()
  X[i] = next - X[i]
}
