// `@aligned(K = 128)`: what a dimension is a multiple of.
@aligned(K = 128)
@aligned(M = 8, N = 4)
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[M, N]) {
  O[0, 0] = X[0, 0]
}

@autotune(T in [32, 64])
@aligned(T = 16)
kernel of_constant(X: tensor<f32>[M, T], O: tensor<f32>[M, T]) {
  O[0, 0] = X[0, 0]
}

@aligned  //! error: `@aligned` takes dimensions and what they are multiples of
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(K)  //! error: `@aligned` takes dimensions and what they are positive multiples of
kernel name(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(K = 0)  //! error: `@aligned` takes dimensions and what they are positive multiples of
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(K = 1.5)  //! error: `@aligned` takes dimensions and what they are positive multiples of
kernel real(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(K in [8, 16])  //! error: `@aligned` takes dimensions and what they are positive multiples of
kernel choices(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(J = 8)  //! error: `@aligned` names `J`, which is no dimension of this kernel
kernel unknown(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@aligned(X = 8)  //! error: `@aligned` names `X`, which is no dimension of this kernel
kernel parameter(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@autotune(T in [30, 64])
@aligned(T = 16)                               //! error: `T` is 30, which is no multiple of 16
kernel broken_constant(X: tensor<f32>[M, T], O: tensor<f32>[M, T]) {
  O[0, 0] = X[0, 0]
}
