// An operation under a condition and one beside it, in one statement: each has an error of its own.
@launch(64)
kernel k(A: tensor<f32>[8, 64], O: tensor<f32>[64, 1]) {
  let x = A[0, ctx.thread]
  let y = where(ctx.lane < 3 && any<over ctx.lane>(x > 0.0), rowsum(A[ctx.lane % 4 :+ 1, 0 :+ 64]), 0.0)   //! error PH0302: `ctx.lane < 3   //! error PH0304: `any<over ctx.lane>` needs every lane   //! error PH0302: the copy of `A[…]` takes `ctx.lane % 4`
  O[0 :+ 1, :] = y
}
