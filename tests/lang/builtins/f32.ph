// `f32(x)`: a scalar, a tile or a run of any type as `f32`.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], U: tensor<u8>[64], W: tensor<i32>[64],
                L: tensor<i64>[64], F: tensor<bool>[64], O: tensor<f32>[64, 16], n: i32) {
  let a: f32 = f32(X[0, 3])                  //? a: uniform
  let b: f32 = f32(H[ctx.warp])              //? b: warp-uniform
  let c: f32 = f32(B[ctx.lane])              //? c: varying
  O[ctx.thread, 0] = f32(D[ctx.thread])
  O[ctx.thread, 1] = f32(Q[ctx.thread])
  O[ctx.thread, 2] = f32(U[ctx.thread])
  O[ctx.thread, 3] = f32(W[ctx.thread])
  O[ctx.thread, 4] = f32(L[ctx.thread])
  O[ctx.thread, 5] = f32(F[ctx.thread])
  O[ctx.thread, 6] = f32(ctx.thread)
  O[ctx.thread, 7] = f32(M)
  O[ctx.thread, 8] = f32(2)
  O[ctx.thread, 9] = f32(2.75)
  O[ctx.thread, 10] = f32(n > 3)
  O[ctx.thread, 11] = f32(f32(n))
  let t: tile<f32>[8, 8] = f32(X[0 :+ 8, 0 :+ 8])            //? t: uniform
  let u: tile<f32>[8, 8] = f32(X[0 :+ 8, 0 :+ 8] > 0.0)      //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread, 12] = f32(X[0, ctx.thread])
    O[ctx.thread, 13] = a
  } else {
    O[ctx.thread, 12] = b
    O[ctx.thread, 13] = c
  }
  O[ctx.thread, 14] = t[0, 0]
  O[ctx.thread, 15] = u[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<f32>[64]) {
  let a = f32()                              //! error: `f32` takes 1 argument, not 0
  let b = f32(1, 2)                          //! error: `f32` takes 1 argument, not 2
  let c = f32(X)                             //! error: `X` is a tensor in global memory
  let d = f32(barrier())                     //! error: gives no value
  let e = f32<xor 1>(2)                      //! error: `f32` takes no `<…>`
  if ctx.lane == 1 {
    let s = f32(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `f32(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = s[0, 0]
  }
}
