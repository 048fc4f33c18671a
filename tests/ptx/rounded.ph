// Contractions of f32 that may be rounded: to tf32, an element a word; to f16, two a word. Their operands are copied as they are, and
// rounded on the way from shared memory.
//. PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
//. PTX: cvt.rna.tf32.f32
//. PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
//. PTX: cvt.rn.f16x2.f32
//. PTX: cp.async.cg.shared.global
//. PTX-NOT: st.local
@launch(128)
@tensorcore(tf32)
kernel tf32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 64
  let c = ctx.block.y * 64
  var acc: tile<f32>[64, 64] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 64, k :+ 32], B[k :+ 32, c :+ 64])
  }
  C[r :+ 64, c :+ 64] = acc
}

@launch(128)
@tensorcore
kernel halves(A: tensor<f32>[M, K], B: tensor<f32>[N, K], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 64
  let c = ctx.block.y * 64
  var acc: tile<f32>[64, 64] = 0.0
  for k in range(0, K, 32) {
    acc += dot_t(A[r :+ 64, k :+ 32], B[c :+ 64, k :+ 32])
  }
  C[r :+ 64, c :+ 64] = acc
}
