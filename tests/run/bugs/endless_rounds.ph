// A condition that no round changes.
//# run x=ones --device sim expect-error "`while` waits for ever: a round changes nothing, and so does the next"
@launch(64)
kernel stuck(x: tensor<f32>[64]) {
  var v = x[ctx.thread]
  while v > 0.5 {
  }
  x[ctx.thread] = v
}

// One that comes back to what it was.
//# run x=ones --device sim expect-error "`while` waits for ever: every 2 rounds all is as it was"
@launch(64)
kernel swings(x: tensor<f32>[64]) {
  var v = x[ctx.thread]
  while v < 2.0 {
    v = -v
  }
  x[ctx.thread] = v
}

// A CTA returns, and the others wait for it.
//# run bar=zeros --grid 4 --device sim expect-error "`grid_barrier` waits for ever: block (2, 0, 0) has ended without reaching it"
@launch(32)
@persistent
kernel gone(bar: tensor<i32>[2]) {
  if ctx.block.x == 2 {
    return
  }
  grid_barrier(bar)
}
