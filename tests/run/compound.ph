// `op=` on elements and slices reads and writes the same place once.
//# run X=data/compound.X.npy F=data/compound.F.npy S=data/compound.S.npy expect X=data/compound.X1.npy F=data/compound.F1.npy S=data/compound.S1.npy rtol=1e-6
@launch(64)
kernel compound(X: tensor<i32>[10, 64], F: tensor<f32>[4, 64], S: tensor<f32>[3, 70]) {
  let t = ctx.thread
  let k = i32(t) + 1
  X[0, t] += k
  X[1, t] -= k
  X[2, t] *= k
  X[3, t] /= k
  X[4, t] %= k
  X[5, t] &= k
  X[6, t] |= k
  X[7, t] ^= k
  X[8, t] <<= 3
  X[9, t] >>= 2
  F[0, t] += 1.5
  F[1, t] -= f32(k)
  F[2, t] *= F[2, t]
  F[3, t] /= 4.0
  // The second slice hangs over the edge.
  S[0 :+ 1, 0 :+ 64] += S[1 :+ 1, 0 :+ 64]
  S[1 :+ 2, 60 :+ 16] *= 2.0
}
