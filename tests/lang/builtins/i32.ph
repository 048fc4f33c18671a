// `i32(x)`: a scalar, a tile or a run of any type as `i32`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<i32>[64, 16], n: i32) {
  let a: i32 = i32(X[0, 3])                  //? a: uniform
  let b: i32 = i32(H[ctx.warp])              //? b: warp-uniform
  let c: i32 = i32(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = i32(D[ctx.thread])
  O[ctx.thread, 1] = i32(Q[ctx.thread])
  O[ctx.thread, 2] = i32(U[ctx.thread])
  O[ctx.thread, 3] = i32(W[ctx.thread])
  O[ctx.thread, 4] = i32(L[ctx.thread])
  O[ctx.thread, 5] = i32(F[ctx.thread])
  O[ctx.thread, 6] = i32(ctx.thread)
  O[ctx.thread, 7] = i32(M)
  O[ctx.thread, 8] = i32(2)
  O[ctx.thread, 9] = i32(2.75)
  O[ctx.thread, 10] = i32(n > 3)
  O[ctx.thread, 11] = i32(i32(n))
  let t: tile<i32>[8, 8] = i32(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<i32>[8, 8] = i32(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = i32(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<i32>[64]) {
  let a = i32()                              //! error: `i32` takes 1 argument, not 0
  let b = i32(1, 2)                          //! error: `i32` takes 1 argument, not 2
  let c = i32(X)                             //! error: `X` is a tensor in global memory
  let d = i32(barrier())                     //! error: gives no value
  let e = i32<xor 1>(2)                      //! error: `i32` takes no `<…>`
  if ctx.lane == 1 {
    let s = i32(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `i32(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
