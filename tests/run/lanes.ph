// Collectives and shuffles: of integers and bools, over lanes and over the CTA, in a loop, and under control that a warp shares.
//# run X=data/lanes.X.npy expect Y=data/lanes.Y.npy rtol=0
@launch(96)
kernel lanes(X: tensor<i32>[96], Y: tensor<i32>[9, 96]) {
  let t = ctx.thread
  let x = X[t]
  Y[0, t] = sum<over ctx.lane>(x)
  Y[1, t] = min<over ctx.lane>(x) + max<over ctx.thread>(x)
  Y[2, t] = sum<over ctx.thread>(x)
  var found: i32 = 0
  if any<over ctx.lane>(x == 50) {
    found += 1
  }
  if all<over ctx.thread>(x >= 0) {
    found += 2
  }
  Y[3, t] = found
  var scan = x
  for<unroll> i in range(0, 5) {
    let other = shfl<up (1 << i)>(scan)
    if ctx.lane >= 1 << i {
      scan += other
    }
  }
  Y[4, t] = scan
  var rotated = x
  for i in range(0, 3) {
    rotated = shfl<from ctx.lane + 1>(rotated)
  }
  Y[5, t] = rotated
  var warp_only: i32 = -1
  if ctx.warp >= 1 {
    warp_only = max<over ctx.lane>(x)
  }
  Y[6, t] = warp_only
  Y[7, t] = shfl<down 5>(x) + shfl<xor 9>(x)
  Y[8, t] = shfl<from X[ctx.warp] % 32>(x)
}
