// Bytes go to the tensor cores, and four at a time where the shape does not fit those.
//. PTX: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
//. PTX: ldmatrix.sync.aligned.m8n8.x4
//. PTX: dp4a.s32.s32
@launch(128)
kernel bytes(A: tensor<i8>[M, K], B: tensor<i8>[N, K], C: tensor<i32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * 32
  var acc: tile<i32>[32, 32] = 0
  for k in range(0, K, 32) {
    acc += dot_t(A[r :+ 32, k :+ 32], B[c :+ 32, k :+ 32])
  }
  C[r :+ 32, c :+ 32] = acc
}

kernel few(A: tensor<i8>[M, K], B: tensor<i8>[N, K], C: tensor<i32>[M, N]) {
  let r = ctx.block.x * 8
  let c = ctx.block.y * 32
  C[r :+ 8, c :+ 32] = dot_t(A[r :+ 8, 0 :+ 16], B[c :+ 32, 0 :+ 16])
}
