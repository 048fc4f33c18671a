// Tiles that do not divide among the threads: the last of a thread's vectors, or its last row, may be past the end.
//# run X=iota expect Y=data/odd_rows.Y.npy
@launch(64)
kernel long_rows(X: tensor<i32>[3, 320], Y: tensor<i32>[3, 320]) {
  Y[ctx.block.x :+ 1, :] = X[ctx.block.x :+ 1, :] + 1
}

//# run X=iota M=3 N=320 expect Y=data/odd_rows.Y.npy
@launch(64)
kernel slices(X: tensor<i32>[M, N], Y: tensor<i32>[M, N]) {
  for c in range(0, N, 192) {
    Y[0 :+ 3, c :+ 192] = X[0 :+ 3, c :+ 192] + 1
  }
}

//# run X=iota expect Z=data/odd_rows.Z.npy
@launch(128)
kernel few_rows(X: tensor<i32>[60, 16], Z: tensor<i32>[60, 16]) {
  var t: tile<i32>[60, 16] = X[0 :+ 60, :]
  t[0 :+ 60, 4 :+ 12] += 1
  t[0 :+ 60, 0 :+ 4] += 1
  Z[0 :+ 60, :] = t
}
