// Constants choose code: a branch on one leaves no trace, and both settings are tested.
//# run X=data/order.X.npy expect Y=data/order.Y0.npy rtol=1e-6
//# run X=data/order.X.npy MODE=2 expect Y=data/order.Y1.npy rtol=1e-6
//# run X=data/order.X.npy MODE=3 TILE=16 expect Y=data/order.Y2.npy rtol=1e-6
@launch(64)
@autotune(MODE in [1, 2, 3], TILE in [32, 16])
kernel order(X: tensor<f32>[M, 32], Y: tensor<f32>[M, 32]) {
  let r = ctx.block.x * TILE
  var t: tile<f32>[TILE, 32] = X[r :+ TILE, :]
  if MODE == 1 {
    t = t * 2.0
  } else if MODE == 2 {
    t = t + 1.0
    if TILE > 16 {
      t = t - rowmax(t)
    }
  } else {
    t = -t
  }
  Y[r :+ TILE, :] = t
}
