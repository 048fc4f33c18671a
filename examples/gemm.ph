// C = relu(A B + bias), in f16 with f32 accumulation.
//
// A CTA makes one TM x TN tile of C. It walks along K, and `acc += dot(a, b)` multiplies a strip of A with a strip of B into the
// accumulator, which stays where it is, in f32. The bias has one row, and broadcasting adds it to every row of the tile; the
// store rounds to f16. None of the extents has to be a multiple of a tile's: the edges are masked.
//
// The launcher sees that C is stored at multiples of `ctx.block.x` and `ctx.block.y`, so it knows how many CTAs there are.
//# run A=data/gemm.A.npy B=data/gemm.B.npy bias=data/gemm.bias.npy expect C=data/gemm.C.npy rtol=2e-3 atol=2e-3
//# run A=data/gemm.A.npy B=data/gemm.B.npy bias=data/gemm.bias.npy TM=32 TN=64 TK=16 expect C=data/gemm.C.npy rtol=2e-3 atol=2e-3
@launch(THREADS)
@autotune(THREADS in [128, 256], TM in [64, 32, 128], TN in [64, 32, 128, 256], TK in [32, 16, 64])
kernel gemm(A: tensor<f16>[M, K], B: tensor<f16>[K, N], bias: tensor<f32>[1, N], C: tensor<f16>[M, N]) {
  let row = ctx.block.y * TM
  let col = ctx.block.x * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[row :+ TM, k :+ TK], B[k :+ TK, col :+ TN])
  }
  C[row :+ TM, col :+ TN] = tmax(acc + bias[0 :+ 1, col :+ TN], 0.0)
}
