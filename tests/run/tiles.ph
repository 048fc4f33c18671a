// Tiles in shared memory: stored by threads, by slices and in place, and read whole, in part and as one row.
//# run X=data/tiles.X.npy expect A=data/tiles.A.npy B=data/tiles.B.npy C=data/tiles.C.npy D=data/tiles.D.npy rtol=1e-6
@launch(64)
kernel tiles(X: tensor<f32>[8, 16], A: tensor<f32>[8, 16], B: tensor<f32>[8, 16], C: tensor<f32>[16, 8],
             D: tensor<f32>[1, 128]) {
  // Whole, then a part of it from another part, then a thread's own elements.
  var t: tile<f32>[8, 16] = X[0 :+ 8, 0 :+ 16]
  t[0 :+ 4, :] = t[4 :+ 4, :] * 10.0
  t[7, 0 : 16] += 100.0
  barrier()
  t[ctx.thread / 16, ctx.thread % 16] *= 2.0
  barrier()
  A[0 :+ 8, 0 :+ 16] = t

  // Carried through a loop in memory: every thread reads what its neighbour wrote.
  var u: tile<f32>[8, 16] = t
  for i in range(0, 3) {
    barrier()
    let row = ctx.thread / 8
    let col = ctx.thread % 8
    let left = u[row, col]
    let right = u[row, (col + 1) % 8]
    barrier()
    u[row, col] = left + right
  }
  barrier()
  B[0 :+ 8, 0 :+ 16] = u
  C[0 :+ 16, 0 :+ 8] = transpose(u)

  // The same memory as one row, by position.
  let v = flat(u)
  var w: tile<f32>[1, 128] = v
  let at = ctx.thread
  store(w, at + 64, elem(u, at) + 1.0)
  barrier()
  D[0 :+ 1, :] = w
}
