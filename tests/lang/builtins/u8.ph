// `u8(x)`: a scalar, a tile or a run of any type as `u8`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<u8>[64, 16], n: i32) {
  let a: u8 = u8(X[0, 3])                  //? a: uniform
  let b: u8 = u8(H[ctx.warp])              //? b: warp-uniform
  let c: u8 = u8(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = u8(D[ctx.thread])
  O[ctx.thread, 1] = u8(Q[ctx.thread])
  O[ctx.thread, 2] = u8(U[ctx.thread])
  O[ctx.thread, 3] = u8(W[ctx.thread])
  O[ctx.thread, 4] = u8(L[ctx.thread])
  O[ctx.thread, 5] = u8(F[ctx.thread])
  O[ctx.thread, 6] = u8(ctx.thread)
  O[ctx.thread, 7] = u8(M)
  O[ctx.thread, 8] = u8(2)
  O[ctx.thread, 9] = u8(2.75)
  O[ctx.thread, 10] = u8(n > 3)
  O[ctx.thread, 11] = u8(u8(n))
  let t: tile<u8>[8, 8] = u8(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<u8>[8, 8] = u8(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = u8(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<u8>[64]) {
  let a = u8()                              //! error: `u8` takes 1 argument, not 0
  let b = u8(1, 2)                          //! error: `u8` takes 1 argument, not 2
  let c = u8(X)                             //! error: `X` is a tensor in global memory
  let d = u8(barrier())                     //! error: gives no value
  let e = u8<xor 1>(2)                      //! error: `u8` takes no `<…>`
  if ctx.lane == 1 {
    let s = u8(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `u8(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
