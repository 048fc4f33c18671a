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

// Bytes in words, and the f16 with given bits.
//# run X=data/integers.X.npy W=data/integers.W.npy expect B=data/integers.B.npy H=data/integers.H.npy rtol=0
@launch(64)
kernel packed(X: tensor<i32>[64], W: tensor<u8>[4, 64], B: tensor<i32>[4, 64], H: tensor<f16>[64]) {
  let t = ctx.thread
  let x = X[t]
  B[0, t] = byteperm(x, i32(t) * 0x01010101, 0x5140)
  B[1, t] = word(W, t / 16, 4 * (t % 16))
  B[2, t] = popcount(W[0, t]) + popcount(i64(x))
  B[3, t] = byteperm(x, x, i32(t) * 273)
  H[t] = f16bits(x ^ i32(t) << 10)
}
