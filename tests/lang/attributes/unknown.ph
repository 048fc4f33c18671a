// An attribute that nobody knows is ignored.
@lanch(64)  //! hint: the attribute `@lanch` is not known and is ignored
kernel misspelt(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@fastmath  //! hint: the attribute `@fastmath` is not known
kernel foreign(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
