// `@dynshared`: shared memory past the static limit.
@launch(64)
@dynshared
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  let a = exp(X[0, ctx.lane])                  //? a: varying
  O[0, ctx.lane] = a
}

@dynshared()
kernel empty(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@dynshared(1)  //! error: `@dynshared` takes no arguments
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@dynshared(on = true)  //! error: `@dynshared` takes no arguments
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@dynshared
@dynshared  //! error: `@dynshared` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
