// `rowargmax`: where the largest element of each row is, as i32.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[M, K], V: tensor<i32>[M, K]) {
  let a: tile<i32>[16, 1] = rowargmax(X[0 :+ 16, 0 :+ 32])   //? a: uniform
  let b: tile<i32>[16, 1] = rowargmax(H[0 :+ 16, 0 :+ 32])   //? b: uniform
  let c: tile<i32>[16, 1] = rowargmax(W[0 :+ 16, 0 :+ 32])   //? c: uniform
  let d = rowargmax(Q[0 :+ 16, 0 :+ 32])[0, 0]               //? d: uniform
  V[0 :+ 16, 0 :+ 1] = a + b + c + d
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = rowargmax()                                //! error: `rowargmax` takes 1 argument, not 0
  let b = rowargmax(X[0, 0])                         //! error: `rowargmax` takes a tile of rank 2, not `f32`
  let c = rowargmax(iota(16))                        //! error: `rowargmax` takes a tile of rank 2
  let d = rowargmax(F[0 :+ 16, 0 :+ 16])             //! error: `rowargmax` takes a tile of numbers
  let e = rowargmax(X)                               //! error: `X` is a tensor in global memory
  let g = rowargmax<over ctx.thread>(X[0 :+ 4, 0 :+ 4])  //! error: `rowargmax` takes no `<…>`
  if ctx.lane == 0 {
    let t = rowargmax(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: runs once per CTA
  }
}
