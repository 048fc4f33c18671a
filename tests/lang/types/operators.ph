// Operands that do not go together.

kernel joins(n: i32, x: f32, flag: bool, A: tensor<f32>[M, N], Out: tensor<f32>[8]) {   //~ related: `flag` is a `bool`
  let a = A[0 :+ 16, 0 :+ 32]              //~ related: `a` is a `tile<f32>[16, 32]`
  let b = A[0 :+ 16, 0 :+ 24]              //~ related: `b` is a `tile<f32>[16, 24]`
  let c = A[0 :+ 32, 0 :+ 16]
  let _a = a + b                           //! error PH0203: shapes [16, 32] and [16, 24] do not agree along axis 1   //~ no fix
  let _b = a * c                           //! error PH0203: shapes [16, 32] and [32, 16]   //~ fix: Transpose this operand
  let _c = a * rowsum(c)                   //! error PH0203: shapes [16, 32] and [32, 1] do not agree along axis 0
  let _d = flag + n                        //! error PH0202: `bool` does not go with `i32` in `+`   //~ fix: Convert to `i32`
  let _e = 2.0 * flag                      //! error PH0202: `f32` does not go with `bool` in `*`   //~ fix: Convert to `f32`
  let _f = flag == 1                       //! error PH0202: `bool` does not go with `index` in `==`   //~ fix: Convert to `i32`
  var v = x
  v += flag                                //! error PH0202: `f32` does not go with `bool` in `+`   //~ fix: Convert to `f32`
  var f = flag
  f += 1                                   //! error PH0202: `bool` does not go with `index` in `+`   //~ no fix
  var t = a
  t += b                                   //! error PH0203: shapes [16, 32] and [16, 24]
  t -= c                                   //! error PH0203: shapes [16, 32] and [32, 16]   //~ fix: Transpose this operand
  let _g = a << b                          //! error PH0223: `<<` does not take `tile<f32>[16, 32]`
  Out[0] = v + t[0, 0] + f32(f)
}

kernel operators(n: i32, x: f32, flag: bool, A: tensor<f32>[8, 8], Out: tensor<f32>[8]) {
  let _a = flag & (n > 0)                  //! error PH0223: `&` does not take `bool`     //~ fix: Change to `&&`
  let _b = flag | (n > 0)                  //! error PH0223: `|` does not take `bool`     //~ fix: Change to `||`
  let _c = x % 2.0                         //! error PH0223: `%` does not take `f32`      //~ no fix
  let _d = x & 1                           //! error PH0223: `&` does not take `f32`
  let _e = ~flag                           //! error PH0223: `~` does not take `bool`     //~ fix: Change to `!`
  let _f = -flag                           //! error PH0223: `-` does not take `bool`
  let _g = !n                              //! error PH0223: `!` does not take `i32`      //~ fix: Compare with zero
  let _h = ~x                              //! error PH0223: `~` does not take `f32`
  let _i = n && flag                       //! error PH0223: `&&` does not take `i32`     //~ fix: Compare with zero
  let _j = n || x                          //! error PH0223: `||` does not take `i32`     //! error: `||` does not take `f32`
  let _k = x << 2                          //! error PH0223: `<<` does not take `f32`
  let _l = flag < flag                     //! error PH0223: `<` does not take `bool`
  if n { Out[0] = 1.0 }                    //! error PH0213: a condition is a `bool`, not `i32`   //~ fix: Compare with zero
  if x * 2.0 { Out[0] = 1.0 }              //! error PH0213: a condition is a `bool`, not `f32`   //~ fix: Compare with zero
  while A[:, :] > 0.0 { Out[0] = 1.0 }     //! error PH0213: a condition is a `bool`, not `tile<bool>[8, 8]`   //~ no fix
}
