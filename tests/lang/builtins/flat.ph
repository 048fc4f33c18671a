// `flat`: a tile as one row, of any type and rank.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[M, K], V: tensor<i32>[M, K]) {
  let t = X[0 :+ 4, 0 :+ 8]
  let a: tile<f32>[1, 32] = flat(t)                          //? a: uniform
  let b = rowsum(flat(t * 2.0))[0, 0]                        //? b: uniform
  let c: tile<i32>[1, 16] = flat(iota(16))                   //? c: uniform
  let d: tile<bool>[1, 4] = flat(F[0 :+ 2, 0 :+ 2])          //? d: uniform
  let e = flat(t)[0, ctx.lane]                               //? e: varying
  let g: tile<i32>[1, 24] = flat(iota(2, 3, 4, 0))           //? g: uniform
  O[ctx.thread, 0] = a[0, ctx.lane] + b + e
  V[ctx.thread, 0] = c[0, 0] + where(d[0, 0], 1, 2) + g[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[M, K], O: tensor<f32>[16, 1]) {
  let a = flat()                                //! error: `flat` takes 1 argument, not 0
  let b = flat(X[0, 0])                         //! error: `flat` takes a tile, not `f32`
  let e = flat(X)                               //! error: `X` is a tensor in global memory
  let g = flat<over ctx.thread>(X[0 :+ 4, 0 :+ 4])  //! error: `flat` takes no `<…>`
  if ctx.lane == 0 {
    let t = flat(X[0 :+ 1, 0 :+ 8] * 2.0)     //! error: runs once per CTA
  }
}
