// `store`: an element, or a run, at a row-major position of a tensor or of a `var` tile; each thread on its own.
@launch(64)
kernel accepted(X: tensor<f32>[8, 8], H: tensor<f16>[64], Q: tensor<i8>[64], O: tensor<f32>[64, 16], n: i32) {
  var t: tile<f32>[8, 8]
  store(t, ctx.thread, X[0, 0])
  store(H, ctx.thread, X[0, 0])
  store(Q, n, 3)
  store(O, 16 * ctx.thread :+ 4, X[0, 0 :+ 4] * 2.0)
  store(O, 16 * ctx.thread + 4, X[1, 0 :+ 4])
  store(O, 16 * ctx.thread + 8 :+ 4, 1.5)
  store(H, 0 :+ 2, X[0, 0 :+ 2])
  if ctx.lane == 0 {
    store(O, 16 * ctx.thread + 12, elem(X, ctx.warp))
    store(O, 13, elem(X, 0 :+ 2))
  }
  barrier()
  let u = t * 2.0                              //? u: uniform
  O[0 :+ 8, 0 :+ 8] = u
}

fn into(t: tile<f32>[R, C]) {
  store(t, 0, 1.0)                             //! error: `t` cannot be assigned: it is a parameter
}

@launch(64)
kernel refused(X: tensor<f32>[8, 8], Q: tensor<i8>[64], O: tensor<f32>[64], n: i32) {
  let t = X[0 :+ 8, 0 :+ 8]
  var u: tile<f32>[8, 8]
  store(O, 1)                                  //! error: `store` takes 3 arguments, not 2
  store(t, 0, 1.0)                             //! error: `t` cannot be assigned
  store(n, 0, 1.0)                             //! error: `store` takes the name of a tensor or tile
  store(O, 1.0, 1.0)                           //! error: an integer, not `f32`
  store(Q, 0, X[0, 0])                         //! error: `f32` is not assigned to `i8`
  store(Q, 0, 300)                             //! error: 300 does not fit in `i8`
  store(O, 0 :+ 8, X[0, 0 :+ 4])               //! error: a value of shape [4] does not fit a target of shape [8]
  store(O, 0 :+ 32, 1.0)                       //! error: a run has at most 16 elements, not 32
  store(O, 0, t)                               //! error: is not assigned to
  let a = store(O, 0, 1.0)                     //! error: gives no value
  store(u, ctx.thread, 1.0)
  O[0] = rowsum(u)[0, 0]                       //! error: `rowsum` reads `u` after a per-thread store
}
