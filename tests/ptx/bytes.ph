// Bytes are multiplied four at a time.
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
