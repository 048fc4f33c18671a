// `i64(x)`: a scalar, a tile or a run of any type as `i64`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<i64>[64, 16], n: i32) {
  let a: i64 = i64(X[0, 3])                  //? a: uniform
  let b: i64 = i64(H[ctx.warp])              //? b: warp-uniform
  let c: i64 = i64(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = i64(D[ctx.thread])
  O[ctx.thread, 1] = i64(Q[ctx.thread])
  O[ctx.thread, 2] = i64(U[ctx.thread])
  O[ctx.thread, 3] = i64(W[ctx.thread])
  O[ctx.thread, 4] = i64(L[ctx.thread])
  O[ctx.thread, 5] = i64(F[ctx.thread])
  O[ctx.thread, 6] = i64(ctx.thread)
  O[ctx.thread, 7] = i64(M)
  O[ctx.thread, 8] = i64(2)
  O[ctx.thread, 9] = i64(2.75)
  O[ctx.thread, 10] = i64(n > 3)
  O[ctx.thread, 11] = i64(i64(n))
  let t: tile<i64>[8, 8] = i64(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<i64>[8, 8] = i64(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = i64(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<i64>[64]) {
  let a = i64()                              //! error: `i64` takes 1 argument, not 0
  let b = i64(1, 2)                          //! error: `i64` takes 1 argument, not 2
  let c = i64(X)                             //! error: `X` is a tensor in global memory
  let d = i64(barrier())                     //! error: gives no value
  let e = i64<xor 1>(2)                      //! error: `i64` takes no `<…>`
  if ctx.lane == 1 {
    let s = i64(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `i64(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
