// `f64(x)`: a scalar, a tile or a run of any type as `f64`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<f64>[64, 16], n: i32) {
  let a: f64 = f64(X[0, 3])                  //? a: uniform
  let b: f64 = f64(H[ctx.warp])              //? b: warp-uniform
  let c: f64 = f64(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = f64(D[ctx.thread])
  O[ctx.thread, 1] = f64(Q[ctx.thread])
  O[ctx.thread, 2] = f64(U[ctx.thread])
  O[ctx.thread, 3] = f64(W[ctx.thread])
  O[ctx.thread, 4] = f64(L[ctx.thread])
  O[ctx.thread, 5] = f64(F[ctx.thread])
  O[ctx.thread, 6] = f64(ctx.thread)
  O[ctx.thread, 7] = f64(M)
  O[ctx.thread, 8] = f64(2)
  O[ctx.thread, 9] = f64(2.75)
  O[ctx.thread, 10] = f64(n > 3)
  O[ctx.thread, 11] = f64(f64(n))
  let t: tile<f64>[8, 8] = f64(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<f64>[8, 8] = f64(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = f64(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<f64>[64]) {
  let a = f64()                              //! error: `f64` takes 1 argument, not 0
  let b = f64(1, 2)                          //! error: `f64` takes 1 argument, not 2
  let c = f64(X)                             //! error: `X` is a tensor in global memory
  let d = f64(barrier())                     //! error: gives no value
  let e = f64<xor 1>(2)                      //! error: `f64` takes no `<…>`
  if ctx.lane == 1 {
    let s = f64(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `f64(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
