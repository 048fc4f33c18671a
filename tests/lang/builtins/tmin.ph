// `tmin`: the smaller of two numbers, which join; scalars, tiles and runs broadcast.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], W: tensor<i32>[64], Q: tensor<i8>[64], U: tensor<u8>[64], L: tensor<i64>[64], O: tensor<f32>[64], V: tensor<i32>[64]) {
  let a = tmin(X[0, 3], 0.0)                  //? a: uniform
  let b: i32 = tmin(W[ctx.warp], 3)           //? b: warp-uniform
  let c: i32 = tmin(Q[ctx.thread], U[0])      //? c: varying
  let d: i64 = tmin(L[0], W[0])               //? d: uniform
  let e = tmin(ctx.lane, 16)                  //? e: varying
  let g: f16 = tmin(H[ctx.thread], 0)         //? g: varying
  let h: f32 = tmin(H[0], X[0, 0])            //? h: uniform
  let i: f32 = tmin(W[0], 0.5)                //? i: uniform
  let r = sum(tmin(X[0, 0 :+ 4], 0.0))        //? r: uniform
  let t: tile<i32>[64] = tmin(W[0 :+ 64], 0)  //? t: uniform
  let u = tmin(X[0 :+ 8, 0 :+ 8], X[0 :+ 8, 0 :+ 1])  //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread] = tmin(a, h) + f32(g) + i + r + u[0, 0]
  }
  V[ctx.thread] = b + c + i32(d) + i32(e) + t[ctx.thread]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<f32>[64]) {
  let a = tmin(1.0)                           //! error: `tmin` takes 2 arguments, not 1
  let b = tmin(1, 2, 3)                       //! error: `tmin` takes 2 arguments, not 3
  let c = tmin(F[0], F[1])                    //! error: in `tmin`
  let d = tmin(X[0 :+ 4, 0 :+ 8], X[0 :+ 4, 0 :+ 4])  //! error: shapes [4, 8] and [4, 4] do not agree
  let e = tmin(X, 2.0)                        //! error: `X` is a tensor in global memory
  if ctx.lane == 1 {
    let t = tmin(X[0 :+ 8, 0 :+ 8], 0.0)      //! error: the elementwise sweep `tmin(X[0 :+ 8, 0 :+ 8], 0.0)` runs once per CTA
    O[0] = t[0, 0]
  }
}
