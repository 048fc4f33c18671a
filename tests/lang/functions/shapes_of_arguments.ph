// What a parameter's shape is by the arguments before it.

fn product(a: tile<f32>[R, C], b: tile<f32>[C, R]) -> tile<f32>[R, R] {   //~ related: `b` is `tile<f32>[C, R]`, where `C` is 16 and `R` is 8
  return dot(a, b)
}

kernel k(x: tensor<f32>[N, N]) {
  x[0 :+ 8, 0 :+ 8] = product(x[0 :+ 8, 0 :+ 16], x[0 :+ 8, 0 :+ 32])     //! error PH0203: shapes [8, 32] and [16, 8] do not agree along axis 0
  let a = x[0 :+ 8, 0 :+ 16]                                              //~ related: `a` is a `tile<f32>[8, 16]`
  let b = x[0 :+ 16, 0 :+ 4]                                              //~ related: `b` is a `tile<f32>[16, 4]`
  let _m = tmax(a, b)                                                     //! error PH0203: shapes [8, 16] and [16, 4] do not agree
  let _w = where(a > 0.0, a, b)                                           //! error PH0203: do not agree
}
