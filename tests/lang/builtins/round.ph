// `round`: the nearest whole number, of a float scalar, a tile of floats, or a thread's own run.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], O: tensor<f32>[64], T: tensor<f32>[8, 8]) {
  let a = round(X[0, 3])                       //? a: uniform
  let b = round(X[ctx.warp, 0])                //? b: warp-uniform
  var c = round(X[ctx.lane, 0])                //? c: varying
  let h: f16 = round(H[ctx.thread])            //? h: varying
  let g: bf16 = round(B[ctx.thread])           //? g: varying
  let d: f64 = round(D[0])                     //? d: uniform
  let e: f32 = round(2)                        //? e: uniform
  let i: f32 = round(0.5 + 1)                  //? i: uniform
  let r = sum(round(X[ctx.lane, 0 :+ 4]))      //? r: varying
  let t = round(X[0 :+ 8, 0 :+ 8] * 0.5)       //? t: uniform
  let u: tile<f16>[64] = round(H[0 :+ 64])     //? u: uniform
  if ctx.lane > 3 {
    c = round(c) + f32(h) + f32(g) + f32(d)
  }
  O[ctx.thread] = a + b + c + e + i + r + f32(u[ctx.thread])
  T[:, :] = t
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], W: tensor<i32>[64], F: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  let a = round()                              //! error: `round` takes 1 argument, not 0
  let b = round(1.0, 2.0)                      //! error: `round` takes 1 argument, not 2
  let c = round(n)                             //! error: `round` takes a float, not
  let d = round(ctx.thread)                    //! error: `round` takes a float, not
  let e = round(W[0 :+ 64])                    //! error: `round` takes a float, not
  let g = round(F[0])                          //! error: `round` takes
  let h = round(X)                             //! error: `X` is a tensor in global memory
  let i = round(barrier())                     //! error: gives no value
  let j = round<over ctx.lane>(X[0, 0])        //! error: `round` takes no `<…>`
  if ctx.lane > 3 {
    let t = round(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `round(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = t[0, 0]
  }
}
