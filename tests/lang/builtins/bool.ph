// `bool(x)`: a scalar, a tile or a run of any type as `bool`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<bool>[64, 16], n: i32) {
  let a: bool = bool(X[0, 3])                  //? a: uniform
  let b: bool = bool(H[ctx.warp])              //? b: warp-uniform
  let c: bool = bool(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = bool(D[ctx.thread])
  O[ctx.thread, 1] = bool(Q[ctx.thread])
  O[ctx.thread, 2] = bool(U[ctx.thread])
  O[ctx.thread, 3] = bool(W[ctx.thread])
  O[ctx.thread, 4] = bool(L[ctx.thread])
  O[ctx.thread, 5] = bool(F[ctx.thread])
  O[ctx.thread, 6] = bool(ctx.thread)
  O[ctx.thread, 7] = bool(M)
  O[ctx.thread, 8] = bool(2)
  O[ctx.thread, 9] = bool(2.75)
  O[ctx.thread, 10] = bool(n > 3)
  O[ctx.thread, 11] = bool(bool(n))
  let t: tile<bool>[8, 8] = bool(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<bool>[8, 8] = bool(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = bool(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<bool>[64]) {
  let a = bool()                              //! error: `bool` takes 1 argument, not 0
  let b = bool(1, 2)                          //! error: `bool` takes 1 argument, not 2
  let c = bool(X)                             //! error: `X` is a tensor in global memory
  let d = bool(barrier())                     //! error: gives no value
  let e = bool<xor 1>(2)                      //! error: `bool` takes no `<…>`
  if ctx.lane == 1 {
    let s = bool(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `bool(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
