// Contractions of 16-bit floats go to the tensor cores; what a warp reads of an operand, it reads by `ldmatrix`, turned where the
// operand does not lie along k; and the weights of attention are the next contraction's operand without leaving registers.
//. PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
//. PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
//. PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
//. PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
//. PTX: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
//. PTX-NOT: st.local
@launch(128)
kernel halves(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 64
  let c = ctx.block.y * 128
  var acc: tile<f32>[64, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 64, k :+ 32], B[k :+ 32, c :+ 128])
  }
  C[r :+ 64, c :+ 128] = acc
}

@launch(64)
kernel odd(A: tensor<bf16>[M, K], B: tensor<bf16>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * 24
  C[r :+ 32, c :+ 24] = dot(A[r :+ 32, 0 :+ 48], B[0 :+ 48, c :+ 24])
}
