// How loops are unrolled.
fn first(t: tile<f32>[R, C], n: i32) -> f32 {
  var sum = 0.0
  for<unroll> i in range(0, C) {
    sum += t[0, i]
  }
  for<unroll 8> i in range(0, n) {
    sum += t[0, i]
  }
  return sum
}

@autotune(T in [8, 16])
@launch(64)
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[64], n: i32) {
  var sum = 0.0
  for<unroll> i in range(0, T) {               //? i: uniform
    sum += X[0, i]
  }
  for<unroll> i in range(ctx.thread, ctx.thread + 4) {  //? i: varying
    sum += X[0, i]
  }
  for<unroll> i in range(0, 1024) {
    sum += X[1, i]
  }
  for<unroll> i in range(4, 0) {
    sum += X[1, i]
  }
  for<unroll 1024> i in range(0, n) {
    sum += X[1, i]
  }
  O[ctx.thread] = sum + first(X[0 :+ 4, 0 :+ 8], n)
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<f32>[64], n: i32) {
  var sum = 0.0
  for<unroll> i in range(0, n) {               //! warning: this loop is not unrolled whole: how often it runs is not known before the launch
    sum += X[0, i]
  }
  for<unroll> i in range(0, K) {               //! warning: this loop is not unrolled whole: how often it runs is not known before the launch
    sum += X[0, i]
  }
  for<unroll> i in range(0, 64, n) {           //! warning: this loop is not unrolled whole: how often it runs is not known before the launch
    sum += X[0, i]
  }
  for<unroll> i in range(0, 4096, 2) {         //! warning: this loop is not unrolled whole: it runs 2048 times, and at most 1024 are
    sum += X[0, i]
  }
  for<unroll 0> i in range(0, 8) {             //! error: an unroll factor from 1 to 1024
    sum += X[0, i]
  }
  for<unroll 100000> i in range(0, 8) {        //! error: an unroll factor from 1 to 1024
    sum += X[0, i]
  }
  O[ctx.thread] = sum
}
