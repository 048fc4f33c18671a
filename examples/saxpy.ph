// y = alpha * x + y, the usual first kernel.
//
// A kernel runs as a grid of CTAs, each a group of threads that work together. Here a CTA takes BLOCK neighbouring elements as
// one tile: `x[at :+ BLOCK]` is a slice, the arithmetic on it is elementwise, and the compiler deals the elements to threads.
// The last tile may reach past the end of the tensors. That is never an error: a slice reads 0 there and stores nothing.
//# run alpha=2.0 x=data/saxpy.x.npy y=data/saxpy.y.npy expect y=data/saxpy.out.npy rtol=1e-6 atol=1e-6
//# run alpha=2.0 BLOCK=512 x=data/saxpy.x.npy y=data/saxpy.y.npy expect y=data/saxpy.out.npy rtol=1e-6 atol=1e-6
@autotune(BLOCK in [1024, 512, 2048, 4096])
kernel saxpy(alpha: f32, x: tensor<f32>[N], y: tensor<f32>[N]) {
  let at = ctx.block.x * BLOCK
  y[at :+ BLOCK] = alpha * x[at :+ BLOCK] + y[at :+ BLOCK]
}
