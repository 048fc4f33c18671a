@launch(128)
@autotune(TM in [64, 32, 96, 128, 160, 192, 256], TN in [64, 32, 96, 128, 160, 192, 256], TK in [32, 16, 64, 96, 128])
kernel gemm(A: tensor<f16>[M, K], B: tensor<f16>[K, N], bias: tensor<f32>[1, N], C: tensor<f16>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = tmax(acc + bias[0 :+ 1, col :+ TN], 0.0)
}
