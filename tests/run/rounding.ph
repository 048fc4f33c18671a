// `@tensorcore` lets contractions of f32 round their operands, to f16 or to tf32. Small integers come out exactly then, so that the
// result has to: with the second operand along either axis, copied ahead or made in registers, in an odd number of blocks of columns,
// and with ragged ends.

//# run A=data/rounding.A.npy B=data/rounding.B.npy expect C=data/rounding.C.npy rtol=0
//# run A=data/rounding.A.npy B=data/rounding.B.npy TN=24 expect C=data/rounding.C.npy rtol=0
@launch(64)
@tensorcore(tf32)
@autotune(TN in [32, 24])
kernel tf32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * TN
  var acc: tile<f32>[32, TN] = 0.0
  for k in range(0, K, 16) {
    acc += dot(A[r :+ 32, k :+ 16], B[k :+ 16, c :+ TN])
  }
  C[r :+ 32, c :+ TN] = acc
}

//# run A=data/rounding.A.npy B=data/rounding.B.npy expect C=data/rounding.C.npy rtol=0
@launch(64)
@tensorcore
kernel halves(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * 40
  var acc: tile<f32>[32, 40] = 0.0
  for k in range(0, K, 16) {
    acc += dot(A[r :+ 32, k :+ 16] * 2.0, B[k :+ 16, c :+ 40] * 0.5)
  }
  C[r :+ 32, c :+ 40] = acc
}

//# run A=data/rounding.A.npy B=data/rounding.T.npy expect C=data/rounding.C.npy rtol=0
//# run A=data/rounding.A.npy B=data/rounding.T.npy TN=24 expect C=data/rounding.C.npy rtol=0
@launch(64)
@tensorcore
@autotune(TN in [32, 24])
kernel turned_halves(A: tensor<f32>[M, K], B: tensor<f32>[N, K], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * TN
  var acc: tile<f32>[32, TN] = 0.0
  for k in range(0, K, 32) {
    acc += dot_t(A[r :+ 32, k :+ 32], B[c :+ TN, k :+ 32])
  }
  C[r :+ 32, c :+ TN] = acc
}

//# run A=data/rounding.A.npy B=data/rounding.T.npy expect C=data/rounding.C.npy rtol=0
@launch(128)
@tensorcore(tf32)
kernel turned_tf32(A: tensor<f32>[M, K], B: tensor<f32>[N, K], C: tensor<f32>[M, N]) {
  let r = ctx.block.x * 32
  let c = ctx.block.y * 40
  var acc: tile<f32>[32, 40] = 0.0
  for k in range(0, K, 8) {
    acc += dot_t(A[r :+ 32, k :+ 8], B[c :+ 40, k :+ 8])
  }
  C[r :+ 32, c :+ 40] = acc
}
