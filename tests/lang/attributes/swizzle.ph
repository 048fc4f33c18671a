// `@swizzle(n)`: the order in which CTAs walk the grid.
@swizzle(1)
kernel one(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle(8)
kernel eight(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle  //! error: `@swizzle` takes one positive number
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle(0)  //! error: `@swizzle` takes one positive number
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle(2, 2)  //! error: `@swizzle` takes one positive number
kernel two(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle(n = 2)  //! error: `@swizzle` takes one positive number
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@swizzle(2)
@swizzle(4)  //! error: `@swizzle` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
