// `rowmin`: the smallest element of each row of a tile of numbers, as a column.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], O: tensor<f32>[16, 1], V: tensor<i32>[16, 1]) {
  let a: tile<f32>[16, 1] = rowmin(X[0 :+ 16, 0 :+ 32])    //? a: uniform
  let b: tile<f16>[16, 1] = rowmin(H[0 :+ 16, 0 :+ 32])    //? b: uniform
  let c: tile<i32>[16, 1] = rowmin(W[0 :+ 16, 0 :+ 32])    //? c: uniform
  let d: tile<i8>[16, 1] = rowmin(Q[0 :+ 16, 0 :+ 32])     //? d: uniform
  let e = rowmin(flat(X[0 :+ 16, 0 :+ 32]))[0, 0]          //? e: uniform
  let g: tile<i32>[4, 1] = rowmin(iota(4, 8, 1))           //? g: uniform
  O[:, :] = a + f32(b) + e
  V[:, :] = c + i32(d) + g[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = rowmin()                                //! error: `rowmin` takes 1 argument, not 0
  let b = rowmin(X[0, 0])                         //! error: `rowmin` takes a tile of rank 2, not `f32`
  let c = rowmin(iota(16))                        //! error: `rowmin` takes a tile of rank 2
  let d = rowmin(F[0 :+ 16, 0 :+ 16])             //! error: `rowmin` takes a tile of numbers
  let e = rowmin(X)                               //! error: `X` is a tensor in global memory
  if ctx.lane == 0 {
    O[0, 0] = rowmin(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: `rowmin` runs once per CTA
  }
  let g = rowmin(X[0 :+ 1, ctx.lane :+ 8])        //! error: differs between lanes
}
