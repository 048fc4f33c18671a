// Literals that do not fit, and those that just do.

kernel integers(n: i32, q: i8, w: i64, Out: tensor<i64>[8]) {
  let _a: i8 = 127
  let _b: i8 = 128                         //! error PH0218: 128 does not fit in `i8`     //~ related: `_b` is declared as this
  let _c: i8 = -128
  let _d: i8 = -129                        //! error PH0218: -129 does not fit in `i8`
  let _e: u8 = 255
  let _f: u8 = 256                         //! error PH0218: 256 does not fit in `u8`
  let _g: u8 = -1                          //! error PH0218: -1 does not fit in `u8`
  let _h: i32 = 2147483647
  let _i: i32 = 2147483648                 //! error PH0218: 2147483648 does not fit in `i32`
  let _j: i32 = -2147483648
  let _k: i64 = 9223372036854775807
  let _l: i64 = 9223372036854775808        //! error PH0008: `9223372036854775808` is too large
  let _m: i64 = -9223372036854775808
  let _o: i64 = - 9223372036854775808
  let _p: i64 = 18446744073709551616       //! error PH0008: `18446744073709551616` is too large
  let _q = n + 3000000000                  //! error PH0218: 3000000000 does not fit in `i32`
  let _r = n & 0xffffffff                  //! error PH0218: 4294967295 does not fit in `i32`   //~ fix: Write `-1`, which has these bits
  let _s: i8 = 0x80                        //! error PH0218: 128 does not fit in `i8`     //~ fix: Write `-128`
  let _t = q + 200                         //! error PH0218: 200 does not fit in `i8`
  let _u = w + 3000000000
  let _v: i32 = 1 << 31                    //! error PH0218: 2147483648 does not fit in `i32`
  let _x: f32 = 16777217
  let _y = i8(300)
  Out[0] = 9223372036854775807
  Out[1] = -9223372036854775808
}

kernel floats(h: f16, b: bf16, H: tensor<f16>[8], Out: tensor<f32>[8]) {
  let _a: f16 = 65504.0
  let _b: f16 = 1.0e10                     //! error PH0218: `1.0e10` does not fit in `f16`
  let _c: f16 = -1.0e5                     //! error PH0218: `-1.0e5` does not fit in `f16`
  let _d: f16 = 100000                     //! error PH0218: 100000 does not fit in `f16`
  let _e: bf16 = 1.0e38
  let _f: bf16 = 1.0e39                    //! error PH0218: `1.0e39` does not fit in `bf16`
  let _g = 1.0e39                          //! error PH0218: `1.0e39` does not fit in `f32`
  let _h: f64 = 1.0e308
  let _i: f64 = 1.0e309                    //! error PH0218: `1.0e309` does not fit in `f64`
  let _j = 1.0e400                         //! error PH0218: `1.0e400` does not fit in `f64`
  let _k = h * 1.0e6                       //! error PH0218: `1.0e6` does not fit in `f16`
  let _l: f64 = 1.0e200 * 1.0e200          //! error PH0218: `1.0e200 * 1.0e200` does not fit in `f64`
  H[0] = 70000.0                           //! error PH0218: `70000.0` does not fit in `f16`
  let _m: tile<f16>[4] = 1.0e6             //! error PH0218: `1.0e6` does not fit in `f16`
  let _o = f16(1.0e6)
  let _p: f32 = 1.0 / 0.0
  let _q: f16 = 1.0 / 0.0
  let _r: f32 = 1.0e-50
}
