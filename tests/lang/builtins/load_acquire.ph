// `load_acquire`: an element of a tensor, once per CTA, with what its writer released.
@launch(64)
kernel accepted(F: tensor<i32>[8], L: tensor<i64>[8], S: tensor<f32>[8], O: tensor<f32>[64], n: i32) {
  let a: i32 = load_acquire(F, 0)              //? a: uniform
  let b: i64 = load_acquire(L, n)              //? b: uniform
  let c: f32 = load_acquire(S, ctx.block.x)    //? c: uniform
  while load_acquire(F, 1) == 0 {
    barrier()
  }
  O[ctx.thread] = f32(a) + f32(b) + c
}

@launch(64)
kernel refused(F: tensor<i32>[8], O: tensor<f32>[64], n: i32) {
  let t = iota(8)
  let a = load_acquire(F)                      //! error: `load_acquire` takes 2 arguments, not 1
  let b = load_acquire(t, 0)                   //! error: `load_acquire` takes the name of a tensor
  let c = load_acquire(F, 1.5)                 //! error: an integer, not `f32`
  let d = load_acquire(F, ctx.lane)            //! error: `load_acquire` takes `ctx.lane`, which differs between lanes
  if ctx.warp == 0 {
    O[0] = f32(load_acquire(F, 0))             //! error: `load_acquire` runs once per CTA
  }
}
