// Integers wrap, `/` and `%` truncate, shifts take their count modulo the width.
//# run X=data/integers.X.npy --grid 1 expect Y=data/integers.Y.npy L=data/integers.L.npy rtol=0
@launch(64)
kernel integers(X: tensor<i32>[64], Y: tensor<i32>[10, 64], L: tensor<i64>[3, 64]) {
  let t = ctx.thread
  let x = X[t]
  let k = i32(t)
  Y[0, t] = x * 65537
  Y[1, t] = x / 7 + x % 7
  Y[2, t] = x / -3
  Y[3, t] = (x << k) ^ (x >> k)
  Y[4, t] = ~x & 0xff | k << 8
  Y[5, t] = abs(x) + tmin(x, k) - tmax(x, 3)
  Y[6, t] = -x
  Y[7, t] = where(x > 0 && k > 8, x, k)
  Y[8, t] = popcount(x)
  Y[9, t] = dp4a(x, x ^ 0x01020304, k)
  L[0, t] = i64(x) * 3000000007
  L[1, t] = i64(x) << 33
  L[2, t] = i64(ctx.block.x + t) - i64(x)
}
