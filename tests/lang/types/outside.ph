// Point accesses that are outside of a constant extent whatever happens.
fn corner(t: tile<f32>[R, C]) -> f32 {
  return t[4, 0]                               //! warning: `t` has no element 4 along axis 0, whose extent is 4
}

@launch(64)
kernel outside(X: tensor<f32>[M, 8], O: tensor<f32>[64]) {
  var t = X[0 :+ 4, 0 :+ 8]
  t[3, 7] = X[0, -1]                           //! warning: `X` has no element -1 along axis 1, whose extent is 8
  t[4, 0] = 1.0                                //! warning: `t` has no element 4 along axis 0, whose extent is 4
  t[ctx.thread % 4, 8 + ctx.lane] = 1.0        //! warning: along axis 1, whose extent is 8
  for i in range(8, 16, 2) {
    O[i - 32] = 1.0                            //! warning: `O` has no element `i - 32`, which is at most -18, along axis 0, whose extent is 64
    O[8 * i] = 1.0                             //! warning: `O` has no element `8 * i`, which is at least 64, along axis 0, whose extent is 64
    O[4 * i] = 1.0
  }
  O[ctx.thread] = X[M, 0] + X[-1 + M, 0] + X[ctx.block.x, 0] + t[ctx.lane, 0]
  O[63] = corner(t)
  O[ctx.thread + 63] = 1.0
}
