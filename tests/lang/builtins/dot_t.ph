// `dot_t`: the matrix product with the transpose of the right side. 16-bit floats accumulate in f32, bytes in i32.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], B: tensor<bf16>[M, K], D: tensor<f64>[M, K], Q: tensor<i8>[M, K], U: tensor<u8>[M, K], W: tensor<i32>[M, K],
                L: tensor<i64>[M, K], O: tensor<f32>[16, 8], V: tensor<i32>[16, 8]) {
  let a: tile<f32>[16, 8] = dot_t(X[0 :+ 16, 0 :+ 32], X[0 :+ 8, 0 :+ 32])        //? a: uniform
  var acc: tile<f32>[16, 8] = dot_t(H[0 :+ 16, 0 :+ 32], H[0 :+ 8, 0 :+ 32])  //? acc: uniform
  acc += dot_t(B[0 :+ 16, 0 :+ 32], B[0 :+ 8, 0 :+ 32])
  acc = acc + dot_t(B[0 :+ 16, 0 :+ 32], H[0 :+ 8, 0 :+ 32])
  acc += dot_t(H[0 :+ 16, 0 :+ 32], X[0 :+ 8, 0 :+ 32])
  let d: tile<f64>[16, 8] = dot_t(D[0 :+ 16, 0 :+ 32], D[0 :+ 8, 0 :+ 32])
  let q: tile<i32>[16, 8] = dot_t(Q[0 :+ 16, 0 :+ 32], Q[0 :+ 8, 0 :+ 32])
  let u: tile<i32>[16, 8] = dot_t(U[0 :+ 16, 0 :+ 32], U[0 :+ 8, 0 :+ 32])
  let m: tile<i32>[16, 8] = dot_t(Q[0 :+ 16, 0 :+ 32], U[0 :+ 8, 0 :+ 32])
  let w: tile<i32>[16, 8] = dot_t(W[0 :+ 16, 0 :+ 32], W[0 :+ 8, 0 :+ 32])
  let l: tile<i64>[16, 8] = dot_t(L[0 :+ 16, 0 :+ 32], L[0 :+ 8, 0 :+ 32])
  let one = dot_t(X[0 :+ 1, 0 :+ 1], X[0 :+ 1, 0 :+ 1])[0, 0]  //? one: uniform
  O[:, :] = a + acc + f32(d) + one
  V[:, :] = q + u + m + w + i32(l)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 8]) {
  let a = dot_t(X[0 :+ 16, 0 :+ 32])                        //! error: `dot_t` takes 2 arguments, not 1
  let b = dot_t(X[0 :+ 16, 0 :+ 32], X[0 :+ 8, 0 :+ 24])   //! error: `dot_t` contracts [16, 32] with
  let c = dot_t(X[0 :+ 16, 0 :+ 32], 2.0)                   //! error: `dot_t` takes tiles of rank 2, not `f32`
  let d = dot_t(F[0 :+ 16, 0 :+ 16], F[0 :+ 16, 0 :+ 16])   //! error: `dot_t` takes tiles of rank 2
  let e = dot_t(X, X[0 :+ 16, 0 :+ 32])                     //! error: `X` is a tensor in global memory
  let g = dot_t(iota(16), iota(16))                         //! error: `dot_t` takes tiles of rank 2
  let h = dot_t<over ctx.lane>(X[0 :+ 16, 0 :+ 16], X[0 :+ 16, 0 :+ 16])  //! error: `dot_t` takes no `<…>`
  if ctx.warp == 0 {
    O[0, 0] = dot_t(X[0 :+ 1, 0 :+ 1], X[0 :+ 1, 0 :+ 1])[0, 0]  //! error: `dot_t` runs once per CTA
  }
  let i = dot_t(X[ctx.lane :+ 16, 0 :+ 16], X[0 :+ 16, 0 :+ 16])  //! error: differs between lanes
}
