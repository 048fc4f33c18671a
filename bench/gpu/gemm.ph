// C = A B of several types, as plain as it can be written; what `peers.py` holds against the libraries. `phobos build` is told the dimensions of those
// of 16 bits, and chooses among threads and tiles by cost: 128 threads where K is short, since two teams of them share a multiprocessor, or where
// larger tiles were too few.
@launch(THREADS)
@autotune(THREADS in [256, 128], TM in [128], TN in [256, 128])
kernel gemm_f16(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[row :+ TM, k :+ 64], B[k :+ 64, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}

@launch(THREADS)
@autotune(THREADS in [256, 128], TM in [128], TN in [256, 128])
kernel gemm_bf16(A: tensor<bf16>[M, K], B: tensor<bf16>[K, N], C: tensor<bf16>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[row :+ TM, k :+ 64], B[k :+ 64, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}

// Of bytes, with the second operand as [N, K].
@launch(THREADS)
@autotune(THREADS in [256, 128], TM in [128], TN in [256, 128])
kernel gemm_i8(A: tensor<i8>[M, K], B: tensor<i8>[N, K], C: tensor<i32>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<i32>[TM, TN] = 0
  for k in range(0, K, 128) {
    acc += dot_t(A[row :+ TM, k :+ 128], B[col :+ TN, k :+ 128])
  }
  C[row :+ TM, col :+ TN] = acc
}

// Of f32: with all of its bits, and as tf32.
@launch(256)
@autotune(TM in [128, 64], TN in [128], TK in [32, 16])
kernel gemm_f32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}

@launch(256)
@tensorcore(tf32)
@autotune(TM in [256, 128], TN in [128], TK in [32, 16])
kernel gemm_tf32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = acc
}
