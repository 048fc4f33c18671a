// `@tensorcore`, `@tensorcore(tf32)`: f32 contractions may round their operands.
@tensorcore
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  let p = dot(X[0 :+ 16, 0 :+ 16], X[0 :+ 16, 0 :+ 16])  //? p: uniform
  O[0 :+ 16, 0 :+ 16] = p
}

@tensorcore(tf32)
kernel of_tf32(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@tensorcore(f16)  //! error: `@tensorcore` takes nothing or `tf32`
kernel of_f16(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@tensorcore(1)  //! error: `@tensorcore` takes nothing or `tf32`
kernel number(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@tensorcore(tf32, tf32)  //! error: `@tensorcore` takes nothing or `tf32`
kernel two(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@tensorcore(mode = tf32)  //! error: `@tensorcore` takes nothing or `tf32`
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@tensorcore
@tensorcore(tf32)  //! error: `@tensorcore` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}
