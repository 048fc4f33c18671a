// `extent`: the extent of an axis of a tensor or a tile, as an `index`: a constant, or a dimension that is bound at launch.
fn columns(t: tile<f32>[R, C]) -> i32 {
  return i32(extent(t, 1)) + i32(extent(t, 0))
}

@launch(64)
kernel accepted(X: tensor<f32>[M, 8], O: tensor<i32>[64]) {
  let t = X[0 :+ 4, 0 :+ 8]
  let a = extent(X, 0)                         //? a: uniform
  let b: tile<i32>[8] = iota(extent(X, 1))     //? b: uniform
  let c = extent(t, 0)                         //? c: uniform
  let d = extent(t * 2.0, 1)                   //? d: uniform
  if ctx.lane == 0 {
    O[ctx.thread] = i32(extent(X, 0)) + i32(a) + b[0] + i32(c + d) + columns(t)
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, 8], n: i32) {
  let a = extent(X)                            //! error: `extent` takes 2 arguments, not 1
  let b = extent(X, 2)                         //! error: `extent` takes an axis from 0 to 1, not 2
  let c = extent(X, -1)                        //! error: `extent` takes an axis from 0 to 1, not -1
  let d = extent(X, n)                         //! error: the axis must be a compile-time constant
  let e = extent(n, 0)                         //! error: `extent` takes a tensor or a tile
  let f = extent(X, 0.5)                       //! error: an integer, not `f32`
}
