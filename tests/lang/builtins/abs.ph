// `abs`: the magnitude of a float or an integer; a scalar, a tile or a run.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], W: tensor<i32>[64], Q: tensor<i8>[64], L: tensor<i64>[64], O: tensor<f32>[64], V: tensor<i32>[64]) {
  let a = abs(X[0, 3])                       //? a: uniform
  let b: i32 = abs(W[ctx.warp])              //? b: warp-uniform
  let c: i8 = abs(Q[ctx.thread])             //? c: varying
  let d: i64 = abs(L[0])                     //? d: uniform
  let e = abs(ctx.lane - 16)                 //? e: varying
  let f: f16 = abs(H[ctx.thread])            //? f: varying
  let g: f32 = abs(-1.5)                     //? g: uniform
  let h = abs(-3)                            //? h: uniform
  let r = sum(abs(X[0, ctx.lane :+ 4]))      //? r: varying
  let t: tile<i32>[64] = abs(W[0 :+ 64])     //? t: uniform
  if ctx.lane == 1 {
    O[ctx.thread] = abs(a) + f32(f) + g + r
  }
  V[ctx.thread] = b + i32(c) + i32(d) + i32(e) + i32(h) + t[ctx.thread]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<f32>[64]) {
  let a = abs()                              //! error: `abs` takes 1 argument, not 0
  let b = abs(1, 2)                          //! error: `abs` takes 1 argument, not 2
  let c = abs(F[0])                          //! error: `abs` takes numbers, not `bool`
  let d = abs(F[0 :+ 64])                    //! error: `abs` takes numbers, not
  let e = abs(X)                             //! error: `X` is a tensor in global memory
  if ctx.warp == 1 {
    let t = abs(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `abs(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = t[0, 0]
  }
}
