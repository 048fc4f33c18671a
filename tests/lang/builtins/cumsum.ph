// `cumsum`: the inclusive sum down the first axis.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[M, K], V: tensor<i32>[M, K]) {
  let a: tile<f32>[16, 32] = cumsum(X[0 :+ 16, 0 :+ 32])     //? a: uniform
  let b: tile<f16>[16, 32] = cumsum(H[0 :+ 16, 0 :+ 32])     //? b: uniform
  let c: tile<i32>[16, 32] = cumsum(W[0 :+ 16, 0 :+ 32])     //? c: uniform
  let d = cumsum(Q[0 :+ 16, 0 :+ 1])[0, 0]                   //? d: uniform
  O[0 :+ 16, 0 :+ 32] = a + f32(b)
  V[0 :+ 16, 0 :+ 32] = c + i32(d)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = cumsum()                                //! error: `cumsum` takes 1 argument, not 0
  let b = cumsum(X[0, 0])                         //! error: `cumsum` takes a tile of rank 2, not `f32`
  let c = cumsum(iota(16))                        //! error: `cumsum` takes a tile of rank 2
  let d = cumsum(F[0 :+ 16, 0 :+ 16])             //! error: `cumsum` takes a tile of numbers
  let e = cumsum(X)                               //! error: `X` is a tensor in global memory
  let g = cumsum<over ctx.thread>(X[0 :+ 4, 0 :+ 4])  //! error: `cumsum` takes no `<…>`
  if ctx.lane == 0 {
    O[0, 0] = cumsum(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: runs once per CTA
  }
}
