// y = W x, a CTA an output: the shape of work when a language model makes one token.
//
// Each thread reads eight neighbouring elements at a time. A slice of constant length whose start differs between threads is a
// run: a thread's own short vector, read with one wide access where the alignment is known, as `@aligned` promises it here (the
// launcher checks). `sum` of a run stays in the thread; `sum<over ctx.thread>` adds up the whole CTA and gives everyone the
// total, so that any one thread can write it.
//# run W=data/matvec.W.npy x=data/matvec.x.npy expect y=data/matvec.y.npy rtol=1e-4 atol=1e-4
@launch(64)
@aligned(K = 8)
kernel matvec(W: tensor<f16>[N, K], x: tensor<f32>[1, K], y: tensor<f32>[1, N]) {
  let row = ctx.block.x
  var part: f32 = 0.0
  for k in range(ctx.thread * 8, K, ctx.threads * 8) {
    part += sum(W[row, k :+ 8] * x[0, k :+ 8])
  }
  let total = sum<over ctx.thread>(part)
  if ctx.thread == 0 {
    y[0, row] = total
  }
}
