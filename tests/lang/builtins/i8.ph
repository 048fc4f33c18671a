// `i8(x)`: a scalar, a tile or a run of any type as `i8`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<i8>[64, 16], n: i32) {
  let a: i8 = i8(X[0, 3])                  //? a: uniform
  let b: i8 = i8(H[ctx.warp])              //? b: warp-uniform
  let c: i8 = i8(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = i8(D[ctx.thread])
  O[ctx.thread, 1] = i8(Q[ctx.thread])
  O[ctx.thread, 2] = i8(U[ctx.thread])
  O[ctx.thread, 3] = i8(W[ctx.thread])
  O[ctx.thread, 4] = i8(L[ctx.thread])
  O[ctx.thread, 5] = i8(F[ctx.thread])
  O[ctx.thread, 6] = i8(ctx.thread)
  O[ctx.thread, 7] = i8(M)
  O[ctx.thread, 8] = i8(2)
  O[ctx.thread, 9] = i8(2.75)
  O[ctx.thread, 10] = i8(n > 3)
  O[ctx.thread, 11] = i8(i8(n))
  let t: tile<i8>[8, 8] = i8(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<i8>[8, 8] = i8(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = i8(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<i8>[64]) {
  let a = i8()                              //! error: `i8` takes 1 argument, not 0
  let b = i8(1, 2)                          //! error: `i8` takes 1 argument, not 2
  let c = i8(X)                             //! error: `X` is a tensor in global memory
  let d = i8(barrier())                     //! error: gives no value
  let e = i8<xor 1>(2)                      //! error: `i8` takes no `<…>`
  if ctx.lane == 1 {
    let s = i8(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `i8(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
