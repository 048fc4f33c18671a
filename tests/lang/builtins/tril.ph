// `tril`: keeps `j <= i`, also of a tile that is not square.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[M, K], V: tensor<i32>[M, K]) {
  let a: tile<f32>[16, 16] = tril(X[0 :+ 16, 0 :+ 16])       //? a: uniform
  let b: tile<f16>[16, 32] = tril(H[0 :+ 16, 0 :+ 32])       //? b: uniform
  let c: tile<i32>[4, 2] = tril(W[0 :+ 4, 0 :+ 2])           //? c: uniform
  let d = tril(Q[0 :+ 16, 0 :+ 1])[0, 0]                     //? d: uniform
  O[0 :+ 16, 0 :+ 16] = a + f32(b[0, 0])
  V[0 :+ 4, 0 :+ 2] = c + i32(d)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = tril()                                //! error: `tril` takes 1 argument, not 0
  let b = tril(X[0, 0])                         //! error: `tril` takes a tile of rank 2, not `f32`
  let c = tril(iota(16))                        //! error: `tril` takes a tile of rank 2
  let d = tril(F[0 :+ 16, 0 :+ 16])             //! error: `tril` takes a tile of numbers
  let e = tril(X)                               //! error: `X` is a tensor in global memory
  let g = tril<over ctx.thread>(X[0 :+ 4, 0 :+ 4])  //! error: `tril` takes no `<…>`
  if ctx.lane == 0 {
    O[0, 0] = tril(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: runs once per CTA
  }
}
