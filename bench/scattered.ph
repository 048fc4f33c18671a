// Accesses that fall anywhere, which is what costs most to watch.

// Each element once, far from the one before.
//# run O=zeros N=4096 --grid 16
@launch(256)
kernel scatter(O: tensor<i32>[N]) {
  let i = ctx.block.x * 256 + ctx.thread
  O[(i * 7919) % N] = i32(i)
}

// Counts of each thread in a tile, and their sums added to those of all.
//# run x=arange H=zeros N=4096 --grid 4
@launch(256)
kernel histogram(x: tensor<i32>[N], H: tensor<i32>[32]) {
  var own: tile<i32>[256, 32] = 0
  let piece = N / ctx.blocks.x
  for i in range(ctx.thread, piece, 256) {
    own[ctx.thread, (x[ctx.block.x * piece + i] + i * 7919) & 31] += 1
  }
  for b in range(0, 32) {
    let part = sum<over ctx.thread>(own[ctx.thread, b])
    atomic_add(H, b, part)
  }
}
