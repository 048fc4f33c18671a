// `rowsum`: the sum of each row of a tile of numbers, as a column.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], O: tensor<f32>[16, 1], V: tensor<i32>[16, 1]) {
  let a: tile<f32>[16, 1] = rowsum(X[0 :+ 16, 0 :+ 32])    //? a: uniform
  let b: tile<f16>[16, 1] = rowsum(H[0 :+ 16, 0 :+ 32])    //? b: uniform
  let c: tile<i32>[16, 1] = rowsum(W[0 :+ 16, 0 :+ 32])    //? c: uniform
  let d: tile<i8>[16, 1] = rowsum(Q[0 :+ 16, 0 :+ 32])     //? d: uniform
  let e = rowsum(flat(X[0 :+ 16, 0 :+ 32]))[0, 0]          //? e: uniform
  let g: tile<i32>[4, 1] = rowsum(iota(4, 8, 1))           //? g: uniform
  O[:, :] = a + f32(b) + e
  V[:, :] = c + i32(d) + g[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = rowsum()                                //! error: `rowsum` takes 1 argument, not 0
  let b = rowsum(X[0, 0])                         //! error: `rowsum` takes a tile of rank 2, not `f32`
  let c = rowsum(iota(16))                        //! error: `rowsum` takes a tile of rank 2
  let d = rowsum(F[0 :+ 16, 0 :+ 16])             //! error: `rowsum` takes a tile of numbers
  let e = rowsum(X)                               //! error: `X` is a tensor in global memory
  if ctx.lane == 0 {
    O[0, 0] = rowsum(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: `rowsum` runs once per CTA
  }
  let g = rowsum(X[0 :+ 1, ctx.lane :+ 8])        //! error: differs between lanes
}
