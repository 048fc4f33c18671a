// Every rule with its repair, and where there is none.

fn all_of_it(t: tile<f32>[R, C]) -> tile<f32>[R, C] { return t * 2.0 }

@launch(64)
kernel barriers(A: tensor<f32>[1, 64], O: tensor<f32>[1, 64], n: i32) {
  var t: tile<f32>[1, 64] = 0.0
  t[0, ctx.thread] = 2.0                             //~ related: the per-thread store: its index differs between lanes
  let _m = rowmax(t) + rowmin(t)                     //! error PH0303: the elementwise sweep `rowmax(t) + rowmin(t)` reads `t` after a per-thread store   //~ fix: Insert `barrier()`
  for i in range(0, n) {
    O[0 :+ 1, :] = t * f32(i)                        //! error PH0303: reads `t`          //~ fix: Insert `barrier()`
    t[0, ctx.thread] = f32(i)                        //~ related: in an earlier iteration
  }
  barrier()
  O[0 :+ 1, :] = all_of_it(t)
}

@launch(64)
kernel control(A: tensor<f32>[1, 64], O: tensor<f32>[1, 64], n: i32) {
  let t = A[0 :+ 1, :]
  if ctx.thread < 32 {                               //~ related: this `if` condition differs between lanes
    barrier()                                        //! error PH0301: `barrier()` runs once per CTA, so every thread must reach it: the `if` around it differs between lanes, because of `ctx.thread`   //~ fix: Move this out of the `if`
  }
  if ctx.lane == 0 {
    let s = sum<over ctx.lane>(1.0)                  //! error PH0304: `sum<over ctx.lane>` needs every lane of the warp
    O[0, 0] = s
  }
  if ctx.warp == 0 {
    let s = sum<over ctx.thread>(1.0)                //! error PH0305: `sum<over ctx.thread>` needs every thread of the CTA
    let r = sum<over ctx.lane>(1.0)
    O[0, 1] = s + r
  }
  if ctx.thread == 3 { return }                      //~ related: this `return` leaves the kernel in some lanes only
  O[0 :+ 1, :] = t                                   //! error PH0301: the store to `O` runs once per CTA   //~ no fix
}

@launch(64)
kernel operands(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64], n: i32) {
  let at = ctx.warp * 2
  let t = A[at :+ 2, :]                              //! error PH0302: the copy of `A[…]` takes `at`, which differs between warps   //~ no fix
  O[0 :+ 2, :] = t * f32(ctx.lane)                   //! error PH0302: takes `f32(ctx.lane)`, which differs between lanes   //~ no fix
  O[0, ctx.thread :+ 1] = 1.0                        //! error PH0302: takes `ctx.thread` //~ fix: Take the one element with a point subscript
}
