// A contraction of f32: operands copied ahead of the loop, four-element accesses, fused multiply-adds, and nothing spilled to local
// memory.
//. PTX: fma.rn.f32
//. PTX: cp.async.cg.shared.global
//. PTX: cp.async.wait_group
//. PTX: ld.shared.v4.b32
//. PTX: st.global.v4.b32
//. PTX-NOT: st.local
@autotune(TM in [64], TN in [64], TK in [16])
kernel gemm(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * TM
  let c = ctx.block.y * TN
  var acc: tile<f32>[TM, TN] = 0.0
  for k in range(0, K, TK) {
    acc += dot(A[r :+ TM, k :+ TK], B[k :+ TK, c :+ TN])
  }
  C[r :+ TM, c :+ TN] = acc
}
