// Every CTA adds its part to one total, each as if it were alone.
//# run X=ones N=256 total=zeros --grid 4 --device sim expect-error "`total[0]`"
@launch(64)
kernel add_up(X: tensor<f32>[N], total: tensor<f32>[1]) {
  let part = sum<over ctx.thread>(X[ctx.block.x * ctx.threads + ctx.thread])
  if ctx.thread == 0 {
    total[0] += part
  }
}
