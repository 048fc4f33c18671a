// A function that is left by the returns of a loop without end alone.

fn first_power_above(x: f32) -> f32 {
  var y: f32 = 1.0
  while true {
    if y > x { return y }
    y = y * 2.0
  }
}

//# run out=zeros N=4 expect-print "first_power_above(5.0) = 8"
@launch(32)
kernel powers(out: tensor<f32>[N]) {
  print(first_power_above(5.0))
  if ctx.thread < N { out[ctx.thread] = first_power_above(f32(ctx.thread)) }
}

//# run N=8 out=zeros expect-print "out[1] = 2"
@launch(32)
kernel by_thread(out: tensor<f32>[N]) {
  if ctx.thread < N { out[ctx.thread] = first_power_above(f32(ctx.thread)) }
  barrier()
  print(out[1])
}
