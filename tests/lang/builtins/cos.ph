// `cos`: the cosine, of a float scalar, a tile of floats, or a thread's own run.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], O: tensor<f32>[64], T: tensor<f32>[8, 8]) {
  let a = cos(X[0, 3])                       //? a: uniform
  let b = cos(X[ctx.warp, 0])                //? b: warp-uniform
  var c = cos(X[ctx.lane, 0])                //? c: varying
  let h: f16 = cos(H[ctx.thread])            //? h: varying
  let g: bf16 = cos(B[ctx.thread])           //? g: varying
  let d: f64 = cos(D[0])                     //? d: uniform
  let e: f32 = cos(2)                        //? e: uniform
  let i: f32 = cos(0.5 + 1)                  //? i: uniform
  let r = sum(cos(X[ctx.lane, 0 :+ 4]))      //? r: varying
  let t = cos(X[0 :+ 8, 0 :+ 8] * 0.5)       //? t: uniform
  let u: tile<f16>[64] = cos(H[0 :+ 64])     //? u: uniform
  if ctx.lane > 3 {
    c = cos(c) + f32(h) + f32(g) + f32(d)
  }
  O[ctx.thread] = a + b + c + e + i + r + f32(u[ctx.thread])
  T[:, :] = t
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], W: tensor<i32>[64], F: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  let a = cos()                              //! error: `cos` takes 1 argument, not 0
  let b = cos(1.0, 2.0)                      //! error: `cos` takes 1 argument, not 2
  let c = cos(n)                             //! error: `cos` takes a float, not
  let d = cos(ctx.thread)                    //! error: `cos` takes a float, not
  let e = cos(W[0 :+ 64])                    //! error: `cos` takes a float, not
  let g = cos(F[0])                          //! error: `cos` takes
  let h = cos(X)                             //! error: `X` is a tensor in global memory
  let i = cos(barrier())                     //! error: gives no value
  let j = cos<over ctx.lane>(X[0, 0])        //! error: `cos` takes no `<…>`
  if ctx.lane > 3 {
    let t = cos(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `cos(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = t[0, 0]
  }
}
