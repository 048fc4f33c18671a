// What folding finds: division by zero, shifts past the width, extents that are none, values past 64 bits.

@launch(64)
kernel division(n: i32, x: f32, A: tensor<i32>[8, 8], Out: tensor<i32>[8]) {
  let zero = 0
  let t = A[:, :]
  let _a = n / 0                           //! error PH0216: division by zero
  let _b = n % zero                        //! error PH0216: division by zero
  let _c = 5 / (ctx.warps - 2)             //! error PH0216: division by zero
  let _d = t / 0                           //! error PH0216: division by zero
  var v = n
  v /= 0                                   //! error PH0216: division by zero
  v %= ctx.threads % 32                    //! error PH0216: division by zero
  Out[0] /= 0                              //! error PH0216: division by zero
  Out[1] = v
  let _e = x / 0.0
  let _f = 7.0 / 0
}

kernel shifts(n: i32, q: i8, w: i64, Out: tensor<i32>[8]) {   //~ related: `n` is an `i32`
  let by = 40
  let _a = n << 31
  let _b = n << 32                         //! error PH0217: a shift by 32 is past the 32 bits of `i32`
  let _c = n >> by                         //! error PH0217: a shift by 40 is past the 32 bits of `i32`
  let _d = q << 8                          //! error PH0217: a shift by 8 is past the 8 bits of `i8`
  let _e = q >> 200                        //! error PH0217: a shift by 200 is past the 8 bits of `i8`
  let _f = w << 63
  let _g = w << 64                         //! error PH0217: a shift by 64 is past the 64 bits of `i64`
  let _h = n << -1                         //! error PH0217: a shift by -1 is past the 32 bits of `i32`
  let _i = ctx.thread << 64                //! error PH0217: a shift by 64 is past the 64 bits of `index`
  var v = n
  v <<= 33                                 //! error PH0217: a shift by 33 is past the 32 bits of `i32`
  Out[0] = v
  Out[1] <<= 32                            //! error PH0217: a shift by 32 is past the 32 bits of `i32`
}

kernel extents(A: tensor<f32>[M, N], Out: tensor<f32>[4, 4]) {
  let none = 0
  let few = 3 - 5
  let _a = A[0 :+ 0, 0 :+ 4]               //! error PH0221: an extent must be positive, not 0
  let _b = A[0 :+ few, 0 :+ 4]             //! error PH0221: an extent must be positive, not -2
  let _c = A[4 : 2, 0 :+ 4]                //! error PH0221: the slice `4 : 2` ends before it begins
  let _d: tile<f32>[none, 4] = 0.0         //! error PH0221: an extent must be positive, not 0
  let _e: tile<f32>[few] = 0.0             //! error PH0221: an extent must be positive, not -2
  let _f: tile<f32>[4, 0] = 0.0            //! error PH0221: an extent must be positive, not 0
  let _g: tile<f32>[100000, 100000] = 0.0  //! error PH0221: a tile has at most 16777216 elements
}

@launch(64)
kernel large(O: tensor<f32>[N, N]) {
  O[0 :+ 4294967296, 0 :+ 4] = 1.0         //! error PH0221: a tile has at most 16777216 elements
  let _a = O[0 :+ 65536, 0 :+ 65536]       //! error PH0221: a tile has at most 16777216 elements
  O[0 :+ 4096, 0 :+ 4096] = 1.0            //! warning PH0237: this tile has 16777216 elements
}

kernel wraps(w: i64, Out: tensor<i64>[8]) {
  let big = 9223372036854775807
  let _a = big + 1                         //! error PH0235: the value of `big + 1` does not fit in the 64 bits of an `index`
  let _b = -2 - big                        //! error PH0235: the value of `-2 - big` does not fit
  let _c = big * ctx.threads               //! error PH0235: the value of `big * ctx.threads` does not fit
  let _d = 1 << 62
  let _e = 1 << 63                         //! error PH0235: the value of `1 << 63` does not fit
  let _f = -(-9223372036854775808)         //! error PH0235: does not fit in the 64 bits
  let _g = -9223372036854775808 / -1       //! error PH0235: does not fit in the 64 bits
  let _h = 3000000000 * 3000000000
  let _i = 4000000000 * 4000000000         //! error PH0235: the value of `4000000000 * 4000000000` does not fit
  let _j: i32 = i32(2147483647) + 1
  let _k = w + 9223372036854775807
}
