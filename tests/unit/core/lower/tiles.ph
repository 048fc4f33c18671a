@launch(128)
@autotune(T in [16])
kernel product(A: tensor<f16>[M, K], B: tensor<f16>[K, N], bias: tensor<f32>[N], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * T
  let c = ctx.block.x * T
  var acc: tile<f32>[T, T] = 0.0
  for k in range(0, K, T) {
    acc += dot(A[r :+ T, k :+ T], B[k :+ T, c :+ T])
  }
  C[r :+ T, c :+ T] = where(acc > 0.0, acc, 0.5 * acc) + bias[c :+ T]
}

@launch(32)
kernel memory(X: tensor<f32>[1, 32], O: tensor<f32>[1, 32]) {
  var t: tile<f32>[1, 32]
  t[0, 31 - ctx.lane] = X[0, ctx.lane]
  barrier()
  t[0 :+ 1, 0 :+ 16] += 1.0
  let top = rowmax(t)
  O[0, ctx.lane] = top[0, 0]
  O[:, :] = t
}
