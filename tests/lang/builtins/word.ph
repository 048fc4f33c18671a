// `word`: four bytes from a point of a tensor or a tile of i8 or u8, as an i32; each thread on its own.
@launch(64)
kernel accepted(W: tensor<u8>[M, K], Q: tensor<i8>[M], O: tensor<i32>[64], n: i32) {
  let t = W[0 :+ 4, 0 :+ 16]
  let a: i32 = word(W, 0, 4)                   //? a: uniform
  let b = word(W, ctx.warp, 0)                 //? b: warp-uniform
  let c = word(W, 0, 4 * ctx.lane)             //? c: varying
  let d = word(t, n, 8)                        //? d: uniform
  let e = word(Q, 4 * n)                       //? e: uniform
  if ctx.lane == 0 {
    O[ctx.thread] = word(t, ctx.warp, 4) + a + b + c + d + e
  }
}

@launch(64)
kernel refused(W: tensor<u8>[M, K], F: tensor<bool>[M], V: tensor<i32>[M], n: i32) {
  let a = word(W)                              //! error: `word` takes 2 to 5 arguments, not 1
  let b = word(W, 0)                           //! error: `word` takes a buffer of `i8` or `u8` and one index for each of its axes
  let c = word(W, 0, 0, 0)                     //! error: `word` takes a buffer of `i8` or `u8`
  let d = word(V, 0)                           //! error: `word` takes a buffer of `i8` or `u8`
  let e = word(F, 0)                           //! error: `word` takes a buffer of `i8` or `u8`
  let f = word(n, 0)                           //! error: `word` takes the name of a tensor or tile
  let g = word(W, 0, 1.5)                      //! error: an integer, not `f32`
}
