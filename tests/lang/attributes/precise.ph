// `@precise`: exact math functions.
@launch(64)
@precise
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  let a = exp(X[0, ctx.lane])                  //? a: varying
  O[0, ctx.lane] = a
}

@precise()
kernel empty(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@precise(1)  //! error: `@precise` takes no arguments
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@precise(on = true)  //! error: `@precise` takes no arguments
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@precise
@precise  //! error: `@precise` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
