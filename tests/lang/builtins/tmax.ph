// `tmax`: the larger of two numbers, which join; scalars, tiles and runs broadcast.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], W: tensor<i32>[64], Q: tensor<i8>[64], U: tensor<u8>[64], L: tensor<i64>[64], O: tensor<f32>[64], V: tensor<i32>[64]) {
  let a = tmax(X[0, 3], 0.0)                  //? a: uniform
  let b: i32 = tmax(W[ctx.warp], 3)           //? b: warp-uniform
  let c: i32 = tmax(Q[ctx.thread], U[0])      //? c: varying
  let d: i64 = tmax(L[0], W[0])               //? d: uniform
  let e = tmax(ctx.lane, 16)                  //? e: varying
  let g: f16 = tmax(H[ctx.thread], 0)         //? g: varying
  let h: f32 = tmax(H[0], X[0, 0])            //? h: uniform
  let i: f32 = tmax(W[0], 0.5)                //? i: uniform
  let r = sum(tmax(X[0, 0 :+ 4], 0.0))        //? r: uniform
  let t: tile<i32>[64] = tmax(W[0 :+ 64], 0)  //? t: uniform
  let u = tmax(X[0 :+ 8, 0 :+ 8], X[0 :+ 8, 0 :+ 1])  //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread] = tmax(a, h) + f32(g) + i + r + u[0, 0]
  }
  V[ctx.thread] = b + c + i32(d) + i32(e) + t[ctx.thread]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<f32>[64]) {
  let a = tmax(1.0)                           //! error: `tmax` takes 2 arguments, not 1
  let b = tmax(1, 2, 3)                       //! error: `tmax` takes 2 arguments, not 3
  let c = tmax(F[0], F[1])                    //! error: in `tmax`
  let d = tmax(X[0 :+ 4, 0 :+ 8], X[0 :+ 4, 0 :+ 4])  //! error: shapes [4, 8] and [4, 4] do not agree
  let e = tmax(X, 2.0)                        //! error: `X` is a tensor in global memory
  if ctx.lane == 1 {
    let t = tmax(X[0 :+ 8, 0 :+ 8], 0.0)      //! error: the elementwise sweep `tmax(X[0 :+ 8, 0 :+ 8], 0.0)` runs once per CTA
    O[0] = t[0, 0]
  }
}
