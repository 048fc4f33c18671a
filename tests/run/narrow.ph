// Narrow types: arithmetic in 16-bit floats, conversions that round, truncate, saturate and wrap, byte contractions and runs.
//# run X=data/narrow.X.npy expect H=data/narrow.H.npy B=data/narrow.B.npy I=data/narrow.I.npy U=data/narrow.U.npy rtol=0
@launch(64)
kernel conversions(X: tensor<f32>[64], H: tensor<f16>[2, 64], B: tensor<bf16>[2, 64], I: tensor<i8>[2, 64],
                   U: tensor<u8>[2, 64]) {
  let t = ctx.thread
  let x = X[t]
  let h = f16(x)
  let b = bf16(x)
  H[0, t] = h + h * h
  H[1, t] = b
  B[0, t] = b - f16(1.5)
  B[1, t] = b * b
  I[0, t] = i8(x)
  I[1, t] = i8(i32(x) * 3)
  U[0, t] = u8(x * 4.0)
  U[1, t] = u8(i32(x))
}

//# run A=data/narrow.A.npy W=data/narrow.W.npy expect C=data/narrow.C.npy R=data/narrow.R.npy rtol=0
@launch(64)
kernel bytes(A: tensor<i8>[32, 64], W: tensor<i8>[32, 64], C: tensor<i32>[32, 32], R: tensor<i32>[32]) {
  var acc: tile<i32>[32, 32] = 1
  for k in range(0, 64, 32) {
    acc += dot_t(A[0 :+ 32, k :+ 32], W[0 :+ 32, k :+ 32])
  }
  C[0 :+ 32, 0 :+ 32] = acc
  if ctx.thread < 32 {
    var total: i32 = 0
    for k in range(0, 64, 16) {
      total += sum(A[ctx.thread, k :+ 16] * W[ctx.thread, k :+ 16])
    }
    R[ctx.thread] = total
  }
}
