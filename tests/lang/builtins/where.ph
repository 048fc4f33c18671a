// `where`: one of two values by a condition; all three broadcast. Two literals are like one: of the type that is wanted.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], W: tensor<i32>[64], F: tensor<bool>[64], Q: tensor<i8>[64], O: tensor<f32>[64], V: tensor<i32>[64], n: i32) {
  let a = where(n > 3, X[0, 3], 0.0)         //? a: uniform
  let b = where(ctx.warp > 0, 1.0, 2.0)      //? b: warp-uniform
  let c: i32 = where(F[ctx.thread], 1, -1)   //? c: varying
  let d: bool = where(F[0], F[1], true)      //? d: uniform
  let e: i8 = where(F[0], Q[0], 3)           //? e: uniform
  let f: f16 = where(F[0], 1.0, 2)           //? f: uniform
  let g: i32 = n + where(n > 1, 2, where(n > 0, 1, 0))  //? g: uniform
  let h: f32 = where(d, H[0], X[0, 0])       //? h: uniform
  let i = where(d, 1, 2) * 4                 //? i: uniform
  let r = sum(where(X[0, 0 :+ 4] > 0.0, X[0, 0 :+ 4], 0.0))  //? r: uniform
  let t: tile<i32>[64] = where(F[0 :+ 64], W[0 :+ 64], 0)    //? t: uniform
  let u: tile<i32>[64] = where(F[0 :+ 64], 1, 0)             //? u: uniform
  let v = where(n > 3, X[0 :+ 8, 0 :+ 8], X[0 :+ 1, 0 :+ 8]) //? v: uniform
  let w: tile<f16>[8, 1] = where(X[0 :+ 8, 0 :+ 1] > 1.0, 1.0, -1)  //? w: uniform
  if ctx.lane == 1 {
    O[ctx.thread] = where(d, a, b) + f32(f) + h + r + v[0, 0] + f32(w[0, 0]) + f32(-where(d, 1, 2))
  }
  V[ctx.thread] = c + i32(e) + g + i32(i) + t[ctx.thread] + u[ctx.thread]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], Q: tensor<i8>[64], O: tensor<f32>[64], n: i32) {
  let a = where(F[0], 1.0)                   //! error: `where` takes 3 arguments, not 2
  let b = where(n, 1.0, 2.0)                 //! error: `where` takes a `bool` or a tile of them as its condition
  let c = where(F[0], F[1], 2.0)             //! error: in `where`
  let d: i8 = where(F[0], 300, 3)            //! error: 300 does not fit in `i8`
  let e: i32 = where(F[0], 1.5, 3)           //! error: `f32` is not assigned to `i32`
  let f = where(F[0 :+ 32], X[0, 0 :+ 16], 0.0)  //! error: do not agree along axis 1
  let g = where(X, 1.0, 2.0)                 //! error: `X` is a tensor in global memory
  if ctx.lane == 1 {
    let t = where(F[0 :+ 8], 1.0, 2.0)       //! error: the elementwise sweep `where(F[0 :+ 8], 1.0, 2.0)` runs once per CTA
    O[0] = t[0]
  }
  let h = where(F[0 :+ 8], X[0, ctx.lane], 2.0)  //! error: differs between lanes
}
