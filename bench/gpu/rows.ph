// A row to a CTA, held in registers from its load to its store; what `peers.py` holds against the libraries.
@launch(512, 2)
@autotune(C in [16384, 1024, 2048, 4096, 8192])
kernel softmax(X: tensor<f32>[M, C], Y: tensor<f32>[M, C]) {
  let row = ctx.block.x
  let x = X[row :+ 1, 0 :+ C]
  let e = exp(x - rowmax(x))
  Y[row :+ 1, 0 :+ C] = e / rowsum(e)
}

@launch(128)
kernel softmax_short(X: tensor<f32>[M, 1024], Y: tensor<f32>[M, 1024]) {
  let row = ctx.block.x
  let x = X[row :+ 1, 0 :+ 1024]
  let e = exp(x - rowmax(x))
  Y[row :+ 1, 0 :+ 1024] = e / rowsum(e)
}

@launch(256)
@autotune(C in [4096, 1024, 2048, 8192, 16384])
kernel rmsnorm(X: tensor<f16>[M, C], g: tensor<f16>[1, C], Y: tensor<f16>[M, C], eps: f32) {
  let row = ctx.block.x
  let x = f32(X[row :+ 1, 0 :+ C])
  let scale = rsqrt(rowsum(x * x) / f32(C) + eps)
  Y[row :+ 1, 0 :+ C] = x * scale * f32(g[0 :+ 1, 0 :+ C])
}

@launch(128)
kernel matvec(W: tensor<f32>[N, K], x: tensor<f32>[1, K], y: tensor<f32>[N, 1]) {
  let row = ctx.block.x
  var sums: tile<f32>[1, 8192] = 0.0
  for k in range(0, K, 8192) {
    sums += W[row :+ 1, k :+ 8192] * x[0 :+ 1, k :+ 8192]
  }
  y[row :+ 1, 0 :+ 1] = rowsum(sums)
}
