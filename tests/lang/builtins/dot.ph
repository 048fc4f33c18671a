// `dot`: the matrix product. 16-bit floats accumulate in f32, bytes in i32.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], B: tensor<bf16>[M, K], D: tensor<f64>[M, K], Q: tensor<i8>[M, K], U: tensor<u8>[M, K], W: tensor<i32>[M, K],
                L: tensor<i64>[M, K], O: tensor<f32>[16, 8], V: tensor<i32>[16, 8]) {
  let a: tile<f32>[16, 8] = dot(X[0 :+ 16, 0 :+ 32], X[0 :+ 32, 0 :+ 8])        //? a: uniform
  var acc: tile<f32>[16, 8] = dot(H[0 :+ 16, 0 :+ 32], H[0 :+ 32, 0 :+ 8])  //? acc: uniform
  acc += dot(B[0 :+ 16, 0 :+ 32], B[0 :+ 32, 0 :+ 8])
  acc = acc + dot(B[0 :+ 16, 0 :+ 32], H[0 :+ 32, 0 :+ 8])
  acc += dot(H[0 :+ 16, 0 :+ 32], X[0 :+ 32, 0 :+ 8])
  let d: tile<f64>[16, 8] = dot(D[0 :+ 16, 0 :+ 32], D[0 :+ 32, 0 :+ 8])
  let q: tile<i32>[16, 8] = dot(Q[0 :+ 16, 0 :+ 32], Q[0 :+ 32, 0 :+ 8])
  let u: tile<i32>[16, 8] = dot(U[0 :+ 16, 0 :+ 32], U[0 :+ 32, 0 :+ 8])
  let m: tile<i32>[16, 8] = dot(Q[0 :+ 16, 0 :+ 32], U[0 :+ 32, 0 :+ 8])
  let w: tile<i32>[16, 8] = dot(W[0 :+ 16, 0 :+ 32], W[0 :+ 32, 0 :+ 8])
  let l: tile<i64>[16, 8] = dot(L[0 :+ 16, 0 :+ 32], L[0 :+ 32, 0 :+ 8])
  let one = dot(X[0 :+ 1, 0 :+ 1], X[0 :+ 1, 0 :+ 1])[0, 0]  //? one: uniform
  O[:, :] = a + acc + f32(d) + one
  V[:, :] = q + u + m + w + i32(l)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 8]) {
  let a = dot(X[0 :+ 16, 0 :+ 32])                        //! error: `dot` takes 2 arguments, not 1
  let b = dot(X[0 :+ 16, 0 :+ 32], X[0 :+ 24, 0 :+ 8])   //! error: `dot` contracts [16, 32] with
  let c = dot(X[0 :+ 16, 0 :+ 32], 2.0)                   //! error: `dot` takes tiles of rank 2, not `f32`
  let d = dot(F[0 :+ 16, 0 :+ 16], F[0 :+ 16, 0 :+ 16])   //! error: `dot` takes tiles of rank 2
  let e = dot(X, X[0 :+ 16, 0 :+ 32])                     //! error: `X` is a tensor in global memory
  let g = dot(iota(16), iota(16))                         //! error: `dot` takes tiles of rank 2
  let h = dot<over ctx.lane>(X[0 :+ 16, 0 :+ 16], X[0 :+ 16, 0 :+ 16])  //! error: `dot` takes no `<…>`
  if ctx.warp == 0 {
    O[0, 0] = dot(X[0 :+ 1, 0 :+ 1], X[0 :+ 1, 0 :+ 1])[0, 0]  //! error: `dot` runs once per CTA
  }
  let i = dot(X[ctx.lane :+ 16, 0 :+ 16], X[0 :+ 16, 0 :+ 16])  //! error: differs between lanes
}
