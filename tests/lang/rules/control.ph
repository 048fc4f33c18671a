// Rule 1: what runs once per CTA runs under uniform control. Every kind of operation, every kind of control.

@launch(64)
kernel each_operation(A: tensor<f32>[64, 64], C: tensor<i32>[8], O: tensor<f32>[64, 64]) {
  var t: tile<f32>[16, 16] = A[0 :+ 16, 0 :+ 16]
  var u = A[0 :+ 16, 16 :+ 16]
  let lead = ctx.lane == 0                                //? lead: varying
  if lead {
    O[0 :+ 16, 0 :+ 16] = t                               //! error: the store to `O` runs once per CTA, so every thread must reach it
  }
  if lead {
    let a = A[0 :+ 16, 0 :+ 16]                           //! error: the copy of `A[…]` runs once per CTA
  }
  if lead {
    u = t                                                 //! error: the copy of `t` runs once per CTA
  }
  if lead {
    u = t * 2.0 + u                                       //! error: the elementwise sweep `t * 2.0 + u` runs once per CTA
  }
  if lead {
    u += t                                                //! error: the elementwise sweep `u += t` runs once per CTA
  }
  if lead {
    u = 0.0                                               //! error: the fill with `0.0` runs once per CTA
  }
  if lead {
    u = exp(t)                                            //! error: the elementwise sweep `exp(t)` runs once per CTA
  }
  if lead {
    u = dot(t, t)                                         //! error: `dot` runs once per CTA
  }
  if lead {
    u += dot_t(t, A[0 :+ 16, 0 :+ 16])                    //! error: `dot_t` runs once per CTA
  }
  if lead {
    let m = rowmax(t)                                     //! error: `rowmax` runs once per CTA
  }
  if lead {
    O[0, 0] = rowsum(t)[0, 0]                             //! error: `rowsum` runs once per CTA
  }
  if lead {
    let m = transpose(t)                                  //! error: `transpose` runs once per CTA
  }
  if lead {
    barrier()                                             //! error: `barrier()` runs once per CTA
  }
  if lead {
    let old = atomic_add(C, 0, 1)                         //! error: `atomic_add` runs once per CTA
  }
  if lead {
    O[0, 0] = f32(load_acquire(C, 1))                     //! error: `load_acquire` runs once per CTA
  }
  if lead {
    store_release(C, 2, 1)                                //! error: `store_release` runs once per CTA
  }
  if lead {
    let n = f32(atomic_exch(C, 3, 0)) + rowmin(u)[0, 0]   //! error: `atomic_exch` runs once per CTA
    O[0, 1] = n
  }
}

@launch(64)
kernel each_control(A: tensor<f32>[64, 64], F: tensor<i32>[64], O: tensor<f32>[64, 64], n: i32) {
  if ctx.thread > 5 {
    barrier()                                             //! error: every thread must reach it: the `if` around it differs between lanes, because of `ctx.thread`
  }
  if ctx.warp == 0 {
    barrier()                                             //! error: the `if` around it differs between warps, because of `ctx.warp`
  }
  if n > 3 {
    barrier()
  } else if F[ctx.lane] == 0 {                            //~ related: `F[ctx.lane]` is loaded at an index that differs between lanes
    barrier()                                             //! error: the `if` around it differs between lanes, because of `ctx.lane`
  } else {
    barrier()                                             //! error: the `if` around it differs between lanes, because of `ctx.lane`
  }
  for i in range(ctx.lane, 8) {                           //~ related: this bound of the `for` differs between lanes
    barrier()                                             //! error: the `for` around it differs between lanes
  }
  for i in range(0, 8, 1 + ctx.warp) {
    barrier()                                             //! error: the `for` around it differs between warps
  }
  for i in range(0, n) {
    barrier()
  }
  var left = ctx.warp
  while left > 0 {                                        //~ related: this `while` condition differs between warps
    barrier()                                             //! error: the `while` around it differs between warps, because of `ctx.warp`
    left = left - 1
  }
  var k = n
  while k > 0 {
    barrier()
    k = k - 1
  }
  if ctx.warp == 1 {
    if n == 2 {
      barrier()                                           //! error: the `if` around it differs between warps
    }
    if ctx.lane == 3 {
      barrier()                                           //! error: the `if` around it differs between lanes
    }
    for i in range(0, 4) {
      barrier()                                           //! error: the `if` around it differs between warps
    }
  }
  barrier()
}

@launch(64)
kernel short_circuits(C: tensor<i32>[8], O: tensor<i32>[64], n: i32) {
  if n > 0 && atomic_add(C, 0, 1) > 3 {
    O[0] = 1
  }
  if ctx.lane > 0 && atomic_add(C, 0, 1) > 3 {            //! error: the left side of the `&&` differs between lanes, because of `ctx.lane`
    O[0] = 2
  }
  if ctx.warp > 0 || n > 1 || atomic_add(C, 0, 1) > 3 {   //! error: the left side of the `||` differs between warps, because of `ctx.warp`
    O[0] = 3
  }
  if atomic_add(C, 0, 1) > 3 && ctx.lane > 0 {
    O[0] = 4
  }
  while n > 0 && ctx.thread < atomic_add(C, 1, 1) {       //! error: the `while` around it differs between lanes
    O[1] = 5
  }
}

@launch(64)
kernel one_error_a_statement(A: tensor<f32>[64, 64], O: tensor<f32>[64, 64]) {
  let t = A[0 :+ 16, 0 :+ 16]
  if ctx.lane < 3 {
    O[0 :+ 16, 0 :+ 16] = dot(t, exp(A[0 :+ 16, 0 :+ 16])) + rowmax(t)   //! error: the store to `O` runs once per CTA
  }
}

@launch(64)
kernel uniform_after_all(A: tensor<f32>[64, 64], O: tensor<f32>[64, 64], n: i32) {
  let t = A[0 :+ 16, 0 :+ 16]
  let most = max<over ctx.thread>(A[0, ctx.lane])         //? most: uniform
  if most > 0.5 {
    O[0 :+ 16, 0 :+ 16] = t
  }
  if ctx.threads > 32 && n > ctx.warps && t[3, 3] > 0.0 {
    O[0 :+ 16, 16 :+ 16] = t
  }
}
