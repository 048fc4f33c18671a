// The tile is read whole, and only a part of it has been written; the part matters once it has reached Y.
//# run X=randn:1 --device sim expect-error "`t[0, 8]` is read, and nothing has written it (block (0, 0, 0))"
@launch(32)
kernel padded(X: tensor<f32>[4, 8], Y: tensor<f32>[4, 16]) {
  var t: tile<f32>[4, 16]
  t[:, 0 :+ 8] = X[0 :+ 4, 0 :+ 8]
  Y[0 :+ 4, 0 :+ 16] = t * 2.0
}
