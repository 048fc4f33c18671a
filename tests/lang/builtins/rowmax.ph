// `rowmax`: the largest element of each row of a tile of numbers, as a column.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], O: tensor<f32>[16, 1], V: tensor<i32>[16, 1]) {
  let a: tile<f32>[16, 1] = rowmax(X[0 :+ 16, 0 :+ 32])    //? a: uniform
  let b: tile<f16>[16, 1] = rowmax(H[0 :+ 16, 0 :+ 32])    //? b: uniform
  let c: tile<i32>[16, 1] = rowmax(W[0 :+ 16, 0 :+ 32])    //? c: uniform
  let d: tile<i8>[16, 1] = rowmax(Q[0 :+ 16, 0 :+ 32])     //? d: uniform
  let e = rowmax(flat(X[0 :+ 16, 0 :+ 32]))[0, 0]          //? e: uniform
  let g: tile<i32>[4, 1] = rowmax(iota(4, 8, 1))           //? g: uniform
  O[:, :] = a + f32(b) + e
  V[:, :] = c + i32(d) + g[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = rowmax()                                //! error: `rowmax` takes 1 argument, not 0
  let b = rowmax(X[0, 0])                         //! error: `rowmax` takes a tile of rank 2, not `f32`
  let c = rowmax(iota(16))                        //! error: `rowmax` takes a tile of rank 2
  let d = rowmax(F[0 :+ 16, 0 :+ 16])             //! error: `rowmax` takes a tile of numbers
  let e = rowmax(X)                               //! error: `X` is a tensor in global memory
  if ctx.lane == 0 {
    O[0, 0] = rowmax(X[0 :+ 1, 0 :+ 8])[0, 0]     //! error: `rowmax` runs once per CTA
  }
  let g = rowmax(X[0 :+ 1, ctx.lane :+ 8])        //! error: differs between lanes
}

@launch(64)
kernel of_an_axis(x: tensor<f32>[64, 64], y: tensor<f32>[64, 1], z: tensor<f32>[1, 64]) {
  let t = x[:, :]
  y[:, :] = rowmax(t, 1)      //! error PH0210: the rows of a tile are folded by `rowmax(t)`   //~ fix: Change to `rowmax(t)`
  z[:, :] = rowmax(t, 0)      //! error PH0210: the columns of a tile are folded by `transpose(rowmax(transpose(t)))`   //~ fix: Change to `transpose(rowmax(transpose(t)))`
  y[:, :] = t.max(1)          //! error PH0111: the rows of a tile are folded by `rowmax(t)`   //~ fix: Change to `rowmax(t)`
  z[:, :] = t.sum(0)          //! error PH0111: the columns of a tile are folded by `transpose(rowsum(transpose(t)))`   //~ fix: Change to `transpose(rowsum(transpose(t)))`
  x[:, :] = t.max(0.5)        //! error PH0111: an operation stands before its operands: `tmax(t, 0.5)`   //~ fix: Change to `tmax(t, 0.5)`
}
