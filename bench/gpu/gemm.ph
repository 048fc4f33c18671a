// C = A B in f16 and in f32, as plain as it can be written; what `peers.py` holds against the libraries.
@launch(256)
@autotune(TM in [128], TN in [256, 128], TK in [64, 32])
kernel gemm_f16(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}

@launch(128)
@autotune(TM in [128], TN in [128, 64], TK in [16, 32])
kernel gemm_f32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}
