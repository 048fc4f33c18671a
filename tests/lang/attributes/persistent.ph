// `@persistent`: the grid is sized to the card.
@launch(64)
@persistent
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  let a = exp(X[0, ctx.lane])                  //? a: varying
  O[0, ctx.lane] = a
}

@persistent()
kernel empty(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@persistent(1)  //! error: `@persistent` takes no arguments
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@persistent(on = true)  //! error: `@persistent` takes no arguments
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@persistent
@persistent  //! error: `@persistent` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
