// Rows that do not divide among the threads are still moved 16 bytes at a time, the last ones by some of the threads; and operands that
// are copied ahead leave room for what is exchanged, or are not copied ahead.
//. PTX: ld.global.nc.v4.b32
//. PTX: st.global.v4.b32
@launch(256)
kernel rows(X: tensor<f16>[M, 5120], Y: tensor<f16>[M, 5120]) {
  let x = f32(X[ctx.block.x :+ 1, :])
  Y[ctx.block.x :+ 1, :] = x * rsqrt(rowsum(x * x) / 5120.0)
}

@launch(256)
kernel deep(A: tensor<f16>[M, 512], B: tensor<f16>[512, N], C: tensor<f32>[M, N]) {
  C[0 :+ 128, 0 :+ 64] = dot(A[0 :+ 128, 0 :+ 512], B[0 :+ 512, 0 :+ 64])
}
