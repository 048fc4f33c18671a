// `@pipeline`, `@pipeline(n)`: a loop is software-pipelined, in n stages.
@pipeline
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  var acc: tile<f32>[16, 16] = 0.0             //? acc: uniform
  for k in range(0, K, 16) {
    acc += dot(X[0 :+ 16, k :+ 16], X[0 :+ 16, k :+ 16])
  }
  O[0 :+ 16, 0 :+ 16] = acc
}

@pipeline(3)
kernel staged(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(0)  //! error: `@pipeline` takes nothing or a number of stages, 2 or more
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(1.5)  //! error: `@pipeline` takes nothing or a number of stages, 2 or more
kernel real(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(2, 3)  //! error: `@pipeline` takes nothing or a number of stages, 2 or more
kernel two(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(stages = 3)  //! error: `@pipeline` takes nothing or a number of stages, 2 or more
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(2)
@pipeline(3)  //! error: `@pipeline` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  for k in range(0, K, 16) {
    O[0 :+ 16, k :+ 16] = X[0 :+ 16, k :+ 16]
  }
}

@pipeline(2)  //! error: `@pipeline` asserts that a loop is pipelined, and there is no loop here
kernel no_loop(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
