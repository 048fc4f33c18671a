// Repairs, and where there is none to offer. The runner applies every one of them.

@launch(64)
kernel barriers(A: tensor<f32>[1, 64], O: tensor<f32>[1, 64], n: i32) {
  var t: tile<f32>[1, 64] = A[0 :+ 1, :]
  t[0, ctx.thread] = 2.0
  if n > 3 {
    O[0 :+ 1, :] = t                               //! error: reads `t`   //~ fix: Insert `barrier()` before this statement
  }
  t[0, ctx.thread] = 3.0
  if n > 4 { let m = rowmax(t) }                   //! error: reads `t`   //~ fix: Insert `barrier()`
  t[0, ctx.thread] = 4.0; O[0 :+ 1, :] = t         //! error: reads `t`   //~ fix: Insert `barrier()`
  t[0, ctx.thread] = 5.0
  if n == 5 {
    barrier()
  } else if rowmax(t)[0, 0] > 1.0 {                //! error: reads `t`   //~ no fix
    O[0, 0] = 1.0
  }
}

@launch(64)
kernel out_of_the_branch(A: tensor<f32>[1, 64], C: tensor<i32>[8], O: tensor<f32>[1, 64], n: i32) {
  var t: tile<f32>[1, 64] = A[0 :+ 1, :]
  if ctx.lane == 0 {
    let old = atomic_add(C, 0, 1)                  //! error: `atomic_add` runs once per CTA   //~ no fix
    O[0, 0] = f32(old)
  }
  if ctx.thread == 0 {
    O[0 :+ 1, :] = t                               //! error: every thread   //~ no fix
  }
  if ctx.thread == 0 {
    let u = t * 2.0 + rowmax(A[0 :+ 1, n :+ 64])   //! error: every thread   //~ fix: Move this out of the `if`
    O[0, 1] = u[0, 0]
  }
  if ctx.thread == 0 {
    t = t * 2.0                                    //! error: every thread   //~ no fix
  }
  if ctx.thread == 0 {
    store_release(C, 0, 1)                         //! error: every thread   //~ fix: Remove the `if`
  }
  if ctx.warp == 0 {
    O[0, ctx.thread] = 2.0
    barrier()                                      //! error: every thread   //~ fix: Move this out of the `if`
  }
  if ctx.warp == 0 {
    let more = A[0, 0]
    O[0 :+ 1, :] = t * more                        //! error: every thread   //~ no fix
  }
  if ctx.lane == 0 && n > 3 {
    barrier()                                      //! error: every thread   //~ no fix
  }
  if n > 3 {
    barrier()
  } else if ctx.lane == 3 {
    barrier()                                      //! error: every thread   //~ no fix
  }
  if ctx.lane == 0 {
    if ctx.warp == 0 {
      barrier()                                    //! error: every thread   //~ no fix
    }
  }
}

@launch(64)
kernel points(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64], P: tensor<f32>[8, 64]) {
  let u = A[0, ctx.lane :+ 1]                      //! error: takes `ctx.lane`   //~ fix: Take the one element with a point subscript
  O[0 :+ 1, 0 :+ 1] = u
  var w = A[ctx.warp : ctx.warp + 1, (ctx.lane + 1) :+ 1] * 2.0   //! error: takes `ctx.lane + 1`   //! error: takes `ctx.warp`   //~ fix: point
  O[0, ctx.thread] = w[0, 0]
  O[1, ctx.lane :+ 1] = A[: 1, ctx.lane :+ 1]      //! error: takes `ctx.lane`   //~ fix: point
  O[2, ctx.thread :+ 1] = A[0, 0] + 1.0            //! error: takes `ctx.thread`   //~ fix: point
  let t: tile<f32>[1, 1] = A[0, ctx.lane :+ 1]     //! error: takes `ctx.lane`   //~ no fix
  O[0 :+ 1, 0 :+ 1] = t
  let r = A[0, ctx.lane :+ 1]                      //! error: takes `ctx.lane`   //~ no fix
  O[0 :+ 1, 0 :+ 1] = rowmax(r)
  P[0, ctx.lane :+ 1] = A[0 :+ 1, 0 :+ 1]          //! error: takes `ctx.lane`   //~ no fix
  O[0 :+ 1, 0 :+ 64] = P[1 :+ 1, 0 :+ 64]
  O[0, ctx.lane :+ 2] = A[0, ctx.lane :+ 2]        //! error: takes `ctx.lane`   //~ no fix
}
