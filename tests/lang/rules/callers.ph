// What is wrong with a function under some calls is told of each kernel that has such calls, with all of them.
fn settle() { barrier() }                          //! error: differs between lanes, because of `ctx.lane`   //! error: differs between lanes, because of `ctx.lane`   //! error: differs between warps   //! error: differs between lanes, because of `ctx.thread`
fn rest() { settle() }                             //~ related: in this call of `settle`

@launch(64)
kernel first(x: tensor<f32>[64], n: i32) {
  if ctx.lane == 0 { settle() }                    //~ related: in this call of `settle`
  if ctx.lane == 0 { settle() }                    //~ related: and in this call of `settle`
  if x[ctx.thread] > 1.0 { settle() }              //~ related: in this call of `settle`
  if n > 3 { settle() }
  x[0] = f32(n)
}

@launch(64)
kernel second(x: tensor<f32>[64]) {
  if ctx.warp == 0 { settle() }                    //~ related: in this call of `settle`
  x[0] = 1.0
}

@launch(64)
kernel third(x: tensor<f32>[64]) {
  if ctx.lane == 0 { rest() }                      //~ related: in this call of `rest`
  x[0] = 1.0
}

// What it is wrong in by itself is told once.
fn waits() {
  if ctx.lane == 0 { settle_here() }               //~ related: in this call of `settle_here`
}
fn settle_here() { barrier() }                     //! error: differs between lanes

@launch(64)
kernel fourth(x: tensor<f32>[64]) {
  waits()
  x[0] = 1.0
}
@launch(64)
kernel fifth(x: tensor<f32>[64]) {
  waits()
  x[0] = 2.0
}

fn rd(t: tensor<f32>[N]) -> f32 {
  let q = t[0 :+ 4]                                //! error: reads `x` after   //! error: reads `y` after
  return q[0]
}
@launch(64)
kernel two_buffers(x: tensor<f32>[64], y: tensor<f32>[64]) {
  x[ctx.thread] = 1.0                              //~ related: the per-thread store
  let a = rd(x)                                    //~ related: in this call of `rd`
  barrier()
  y[ctx.thread] = a                                //~ related: the per-thread store
  let b = rd(y)                                    //~ related: in this call of `rd`
  barrier()
  y[0] = b
}
