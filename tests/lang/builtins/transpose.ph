// `transpose`: rows become columns, of any type.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[M, K], V: tensor<i32>[M, K]) {
  let a: tile<f32>[32, 16] = transpose(X[0 :+ 16, 0 :+ 32])  //? a: uniform
  let b: tile<f16>[32, 16] = transpose(H[0 :+ 16, 0 :+ 32])  //? b: uniform
  let c: tile<i32>[1, 8] = transpose(W[0 :+ 8, 0 :+ 1])      //? c: uniform
  let d: tile<bool>[8, 2] = transpose(F[0 :+ 2, 0 :+ 8])     //? d: uniform
  let e = transpose(Q[0 :+ 2, 0 :+ 2])[1, 0]                 //? e: uniform
  O[0 :+ 32, 0 :+ 16] = a + f32(b)
  V[0 :+ 8, 0 :+ 2] = where(d, i32(e), 0) + transpose(c)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = transpose()                                //! error: `transpose` takes 1 argument, not 0
  let b = transpose(X[0, 0])                         //! error: `transpose` takes a tile of rank 2, not `f32`
  let c = transpose(iota(16))                        //! error: `transpose` takes a tile of rank 2
  let e = transpose(X)                               //! error: `X` is a tensor in global memory
  let g = transpose<over ctx.thread>(X[0 :+ 4, 0 :+ 4])  //! error: `transpose` takes no `<…>`
  if ctx.lane == 0 {
    O[0, 0] = transpose(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: runs once per CTA
  }
}
