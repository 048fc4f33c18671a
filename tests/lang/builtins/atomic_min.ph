// `atomic_min`: on an element of a tensor of i32 or i64, once per CTA; gives the old value to every thread.
@launch(64)
kernel accepted(C: tensor<i32>[8], L: tensor<i64>[8], S: tensor<f32>[8], D: tensor<i32>[4, 4], O: tensor<f32>[64], n: i32) {
  let a: i32 = atomic_min(C, 0, 1)                    //? a: uniform
  let b: i64 = atomic_min(L, n, i64(n))               //? b: uniform
  let c: i32 = atomic_min(D, 15, n)                   //? c: uniform
  atomic_min(C, ctx.block.x, 3)
  let d: i32 = atomic_min(C, 2, 5)                    //? d: uniform
  if a > 3 {
    atomic_min(L, 0, 1)
  }
  O[ctx.thread] = f32(a) + f32(b) + f32(c) + f32(d)
}

@launch(64)
kernel refused(C: tensor<i32>[8], H: tensor<f16>[8], S: tensor<f32>[8], D: tensor<f64>[8], B: tensor<u8>[8], n: i32, x: f32) {
  var t: tile<i32>[8] = iota(8)
  atomic_min(C, 0)                                    //! error: `atomic_min` takes 3 arguments, not 2
  atomic_min(C, 0, 1, 2)                              //! error: `atomic_min` takes 3 arguments, not 4
  atomic_min(H, 0, 1.0)                               //! error: `atomic_min` takes a tensor of
  atomic_min(D, 0, 1.0)                               //! error: `atomic_min` takes a tensor of
  atomic_min(B, 0, 1)                                 //! error: `atomic_min` takes a tensor of
  atomic_min(S, 0, 1.0)                               //! error: `atomic_min` takes a tensor of `i32` or `i64`
  atomic_min(t, 0, 1)                                 //! error: `atomic_min` takes the name of a tensor
  atomic_min(C, 1.5, 1)                               //! error: an integer, not `f32`
  atomic_min(C, 0, x)                                 //! error: `f32` is not assigned to `i32`
  atomic_min(C, 0, i32(ctx.lane))                     //! error: `atomic_min` takes `i32(ctx.lane)`, which differs between lanes
  atomic_min(C, ctx.warp, 1)                          //! error: `atomic_min` takes `ctx.warp`, which differs between warps
  if ctx.lane == 0 {
    atomic_min(C, 0, 1)                               //! error: `atomic_min` runs once per CTA
  }
}
