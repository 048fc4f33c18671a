// `@registers(n)`: a cap on the registers of a thread.
@registers(16)
kernel least(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(255)
kernel most(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers  //! error: `@registers` takes a number of registers from 16 to 255
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(15)  //! error: `@registers` takes a number of registers from 16 to 255
kernel few(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(256)  //! error: `@registers` takes a number of registers from 16 to 255
kernel many(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(64, 64)  //! error: `@registers` takes a number of registers from 16 to 255
kernel two(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(n = 64)  //! error: `@registers` takes a number of registers from 16 to 255
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@registers(64)
@registers(32)  //! error: `@registers` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(64, 1, 32)
@registers(64)  //! error: the registers of a thread are capped at 32 already
kernel unlike(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
