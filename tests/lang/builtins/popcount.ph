// `popcount`: the number of bits set in an integer of any width, as i32; each thread on its own.
@launch(64)
kernel accepted(Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64], L: tensor<i64>[64], O: tensor<i32>[64], n: i32) {
  let a: i32 = popcount(n)                     //? a: uniform
  let b: i32 = popcount(W[ctx.lane])           //? b: varying
  let c: i32 = popcount(L[ctx.warp])           //? c: warp-uniform
  let d: i32 = popcount(Q[0]) + popcount(U[0]) //? d: uniform
  let e: i32 = popcount(ctx.lane)              //? e: varying
  let f: i32 = popcount(0xff)                  //? f: uniform
  if ctx.lane == 0 {
    O[ctx.thread] = popcount(a) + b + c + d + e + f
  }
}

@launch(64)
kernel refused(W: tensor<i32>[64], F: tensor<bool>[64], x: f32) {
  let a = popcount()                           //! error: `popcount` takes 1 argument, not 0
  let b = popcount(x)                          //! error: `popcount` takes an integer of each thread, not `f32`
  let c = popcount(F[0])                       //! error: `popcount` takes an integer of each thread, not `bool`
  let d = popcount(W[0 :+ 4])                  //! error: `popcount` takes an integer of each thread
  let e = popcount(W)                          //! error: `W` is a tensor in global memory
}
