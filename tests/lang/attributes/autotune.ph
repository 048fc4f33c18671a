// `@autotune(X in [a, b], …)`: constants of the kernel, the first choice being the default.
@launch(64)
@autotune(T in [32, 128], U in [4, 2, 1])
@autotune(V in [8])
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  let a: tile<f32>[32, 4] = X[0 :+ T, 0 :+ U]  //? a: uniform
  var b: tile<f32>[T, U]
  b = a
  for<unroll> i in range(0, V) {
    b += 1.0
  }
  O[0 :+ T, 0 :+ U] = b
}

@autotune(K in [64, 32])
kernel as_dimension(X: tensor<f32>[M, K], O: tensor<f32>[M, 64]) {
  O[0 :+ 4, :] = X[0 :+ 4, :]
}

@autotune  //! error: `@autotune` takes search spaces
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune()  //! error: `@autotune` takes search spaces
kernel none(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune(T = 32)  //! error: `@autotune` takes search spaces
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune(32)  //! error: `@autotune` takes search spaces
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune(T in [32, 0])  //! error: `@autotune` takes search spaces of positive numbers
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune(T in [32, 64], T in [8])  //! error: `T` is already a constant of this kernel
kernel again(O: tensor<f32>[M]) {
  O[0] = f32(T)
}

@autotune(T in [32, 64])
kernel assigned_to(O: tensor<f32>[M]) {
  T = 3                                        //! error: `T` cannot be assigned: it is a compile-time constant
  O[0] = 1.0
}
