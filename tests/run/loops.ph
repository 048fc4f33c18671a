// Loops that are unrolled, that step, that do not run; ranges and prefixes; slices that hang over an edge on either side.
//# run X=data/loops.X.npy n=7 expect Y=data/loops.Y.npy Z=data/loops.Z.npy rtol=1e-6
@launch(32)
kernel loops(X: tensor<f32>[6, 40], Y: tensor<f32>[6, 40], Z: tensor<i32>[5, 32], n: i32) {
  Y[0 : 2, : 40] = X[1 : 3, : 40]
  Y[2 :+ 1, : 8] = X[: 1, 36 : 44]
  Y[2 :+ 1, 8 : 40] = 3.0
  Y[3 : 6, -4 :+ 20] = X[0 : 3, -10 :+ 20] + 1.0
  Y[5 :+ 4, 16 :+ 24] = X[2 :+ 4, 16 :+ 24]
  Y[3 : 5, 16 : 40] = 0.5

  let lane = i32(ctx.lane)
  var a: i32 = 0
  for<unroll> i in range(0, 4) {
    a = a * 3 + i32(i) + lane
  }
  Z[0, ctx.lane] = a
  var b: i32 = 0
  for<unroll 4> i in range(1, n) {
    b += i32(i) * i32(i)
  }
  Z[1, ctx.lane] = b
  var c: i32 = 5
  for i in range(n, 3) {
    c = 0
  }
  for i in range(ctx.lane, 40, 9) {
    c = c * 2 + i32(i)
  }
  Z[2, ctx.lane] = c
  var d: i32 = 0
  for i in range(0, n) {
    for j in range(i, n, 2) {
      if j > 4 {
        break
      }
      d += 10 * i32(i) + i32(j)
    }
  }
  Z[3, ctx.lane] = d
  var e: i32 = 1
  var f: i32 = 1
  while e + f < 100 * n {
    let next = e + f
    e = f
    f = next
  }
  Z[4, ctx.lane] = f
}
