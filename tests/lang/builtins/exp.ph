// `exp`: the exponential, of a float scalar, a tile of floats, or a thread's own run.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], O: tensor<f32>[64], T: tensor<f32>[8, 8]) {
  let a = exp(X[0, 3])                       //? a: uniform
  let b = exp(X[ctx.warp, 0])                //? b: warp-uniform
  var c = exp(X[ctx.lane, 0])                //? c: varying
  let h: f16 = exp(H[ctx.thread])            //? h: varying
  let g: bf16 = exp(B[ctx.thread])           //? g: varying
  let d: f64 = exp(D[0])                     //? d: uniform
  let e: f32 = exp(2)                        //? e: uniform
  let i: f32 = exp(0.5 + 1)                  //? i: uniform
  let r = sum(exp(X[ctx.lane, 0 :+ 4]))      //? r: varying
  let t = exp(X[0 :+ 8, 0 :+ 8] * 0.5)       //? t: uniform
  let u: tile<f16>[64] = exp(H[0 :+ 64])     //? u: uniform
  if ctx.lane > 3 {
    c = exp(c) + f32(h) + f32(g) + f32(d)
  }
  O[ctx.thread] = a + b + c + e + i + r + f32(u[ctx.thread])
  T[:, :] = t
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], W: tensor<i32>[64], F: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  let a = exp()                              //! error: `exp` takes 1 argument, not 0
  let b = exp(1.0, 2.0)                      //! error: `exp` takes 1 argument, not 2
  let c = exp(n)                             //! error: `exp` takes a float, not
  let d = exp(ctx.thread)                    //! error: `exp` takes a float, not
  let e = exp(W[0 :+ 64])                    //! error: `exp` takes a float, not
  let g = exp(F[0])                          //! error: `exp` takes
  let h = exp(X)                             //! error: `X` is a tensor in global memory
  let i = exp(barrier())                     //! error: gives no value
  let j = exp<over ctx.lane>(X[0, 0])        //! error: `exp` takes no `<…>`
  if ctx.lane > 3 {
    let t = exp(X[0 :+ 8, 0 :+ 8])           //! error: the elementwise sweep `exp(X[0 :+ 8, 0 :+ 8])` runs once per CTA
    O[0] = t[0, 0]
  }
}
