// A kernel that multiplies tiles goes over the grid in another order on the GPU: each block still comes once, whatever the extents.
//# run seen=zeros A=ones --grid 5,37,2 expect seen=data/raster.seen.npy
//# run seen=zeros A=ones --grid 1,370,1 expect seen=data/raster.seen.npy
//# run seen=zeros A=ones --grid 370,1,1 expect seen=data/raster.seen.npy
@launch(32)
kernel each_block_once(A: tensor<f32>[16, 16], seen: tensor<i32>[370], C: tensor<f32>[5920, 16]) {
  let number = (ctx.block.z * ctx.blocks.y + ctx.block.y) * ctx.blocks.x + ctx.block.x
  atomic_add(seen, number, i32(1))
  C[number * 16 :+ 16, 0 :+ 16] = dot(A[0 :+ 16, 0 :+ 16], A[0 :+ 16, 0 :+ 16])
}
