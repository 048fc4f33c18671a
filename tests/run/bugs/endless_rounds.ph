// A condition that no round changes.
//# run x=ones --device sim expect-error "`while` waits for ever: nothing changes any more"
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

// One lane of all that never gets there.
//# run x=iota --device sim expect-error "`while` waits for ever: nothing changes any more for thread 0 (block (0, 0, 0))"
@launch(64)
kernel collatz(x: tensor<i32>[64]) {
  var n = x[ctx.thread]
  while n != 1 {
    if n % 2 == 0 {
      n = n / 2
    } else {
      n = 3 * n + 1
    }
  }
  x[ctx.thread] = n
}
