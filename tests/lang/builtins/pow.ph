// `pow`: a power of floats, which join; scalars, tiles and runs broadcast.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], D: tensor<f64>[64], O: tensor<f32>[64]) {
  let a = pow(X[0, 3], 2.0)                  //? a: uniform
  let b = pow(X[ctx.warp, 0], 2)             //? b: warp-uniform
  let c: f16 = pow(H[ctx.thread], 0.5)       //? c: varying
  let d: f64 = pow(D[0], X[0, 0])            //? d: uniform
  let e: f32 = pow(2, 0.5)                   //? e: uniform
  let f: f32 = pow(H[0], X[0, 0])            //? f: uniform
  let r = sum(pow(X[0, 0 :+ 4], 2.0))        //? r: uniform
  let t = pow(X[0 :+ 8, 0 :+ 8], 2.0)        //? t: uniform
  let u = pow(t, X[0 :+ 1, 0 :+ 8])          //? u: uniform
  if ctx.lane == 1 {
    O[ctx.thread] = pow(a, b) + f32(c) + f32(d) + e + f + r + u[0, 0]
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], W: tensor<i32>[64], F: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  let a = pow(1.0)                           //! error: `pow` takes 2 arguments, not 1
  let b = pow(1.0, 2.0, 3.0)                 //! error: `pow` takes 2 arguments, not 3
  let c = pow(n, n)                          //! error: `pow` takes a float, not `i32`
  let d = pow(F[0], 1.0)                     //! error: `bool` does not go with `f32` in `pow`
  let e = pow(X[0 :+ 4, 0 :+ 8], X[0 :+ 8, 0 :+ 8])  //! error: shapes [4, 8] and [8, 8] do not agree
  let f = pow(X, 2.0)                        //! error: `X` is a tensor in global memory
  if ctx.lane == 1 {
    let t = pow(X[0 :+ 8, 0 :+ 8], 2.0)      //! error: the elementwise sweep `pow(X[0 :+ 8, 0 :+ 8], 2.0)` runs once per CTA
    O[0] = t[0, 0]
  }
  let g = pow(X[0 :+ 8, 0 :+ 8], X[0, ctx.lane])  //! error: differs between lanes
}
