// `atomic_cas`: replaces an element of i32 or i64 where it equals what is compared; once per CTA.
@launch(64)
kernel accepted(C: tensor<i32>[8], L: tensor<i64>[8], O: tensor<i32>[64], n: i32) {
  let a: i32 = atomic_cas(C, 0, 0, 1)          //? a: uniform
  let b: i64 = atomic_cas(L, n, i64(n), 7)     //? b: uniform
  atomic_cas(C, ctx.block.x, n, n + 1)
  O[ctx.thread] = a + i32(b)
}

@launch(64)
kernel refused(C: tensor<i32>[8], S: tensor<f32>[8], n: i32, x: f32) {
  atomic_cas(C, 0, 1)                          //! error: `atomic_cas` takes 4 arguments, not 3
  atomic_cas(S, 0, 1.0, 2.0)                   //! error: `atomic_cas` takes a tensor of `i32` or `i64`
  atomic_cas(C, 0, x, 1)                       //! error: `f32` is not assigned to `i32`
  atomic_cas(C, 0, 1, x)                       //! error: `f32` is not assigned to `i32`
  atomic_cas(n, 0, 1, 2)                       //! error: `atomic_cas` takes the name of a tensor
  atomic_cas(C, x, 1, 2)                       //! error: an integer, not `f32`
  atomic_cas(C, 0, i32(ctx.lane), 1)           //! error: which differs between lanes
  if ctx.lane == 0 {
    atomic_cas(C, 0, 1, 2)                     //! error: `atomic_cas` runs once per CTA
  }
}
