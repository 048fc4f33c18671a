// An accumulator that nobody has set to zero.
//# run A=randn:1 B=randn:2 --device sim expect-error "`acc[0, 0]` is read, and nothing has written it"
@launch(32)
kernel product(A: tensor<f32>[16, 32], B: tensor<f32>[32, 16], C: tensor<f32>[16, 16]) {
  var acc: tile<f32>[16, 16]
  for k in range(0, 32, 16) {
    acc += dot(A[0 :+ 16, k :+ 16], B[k :+ 16, 0 :+ 16])
  }
  C[0 :+ 16, 0 :+ 16] = acc
}
