// `@cluster(X in […])`: super-tiles dealt to nodes (experimental).
@cluster(M in [1, 2])
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster(M in [1, 2], K in [1])
kernel two(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster  //! error: `@cluster` takes search spaces
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster(2)  //! error: `@cluster` takes search spaces
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster(M = 2)  //! error: `@cluster` takes search spaces
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster(M in [0])  //! error: `@cluster` takes search spaces of positive numbers
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@cluster(M in [1])
@cluster(M in [2])  //! error: `@cluster` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
