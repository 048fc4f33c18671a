// What is said of an argument names the argument, and what follows from a mistake is not told beside it.
@launch(64)
kernel arguments(x: tensor<f32>[64], y: tensor<i32>[64], n: i32) {
  let t: tile<f32>[4, 4] = 1.0
  let _a = iota(2.0)                               //! error: an extent of `iota` is an integer, not `f32`
  let _b = iota(4, 4, y[0])                        //! error: `y[0]`, the axis of `iota`,
  let _c = iota(4, y[0], 0)                        //! error: `y[0]`, an extent of `iota`,
  let _d = sum(t[0, :] > 0.0)                      //! error: `sum` takes a run of numbers, not `run<bool>[4]`
  x[ctx.thread] = pow(2, n)                        //! error: `pow` takes a float, not `i32`   //~ fix: Convert to `f32`
}

kernel too_large(x: tensor<f32>[99999999999999999999]) {   //! error PH0008: 99999999999999999999
  let _t: tile<f32>[4] = 0.0
  x[0] = 1.0
}
kernel zero(x: tensor<f32>[0]) {                   //! error PH0221: an extent must be positive, not 0
  x[0] = 1.0
}

@launch(64)
kernel elements(A: tensor<f32>[64, 64], x: tensor<f32>[64]) {
  let v = A[0 :+ 32, :]
  x[ctx.thread] = v[ctx.lane :+ 1, 0]              //! error: is not assigned to   //~ fix: Take the one element with a point subscript
  x[0] = A[3 :+ 1, 4]                              //! error: is not assigned to   //~ fix: Take the one element with a point subscript
}
