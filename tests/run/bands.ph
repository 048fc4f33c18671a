// `@swizzle(n)` changes the order in which CTAs walk the grid, and nothing that they compute: each still is every CTA once, with bands
// that do not divide the grid too.

//# run seen=zeros count=zeros M=7 N=5 --grid 5,7 expect seen=data/bands.seen.npy count=data/bands.count.npy
@launch(32)
@swizzle(3)
kernel bands(seen: tensor<i32>[M, N], count: tensor<i32>[1]) {
  seen[ctx.block.y, ctx.block.x] = i32(ctx.block.y * 100 + ctx.block.x)
  atomic_add(count, 0, 1)
}
