// Two mistakes that have nothing to do with each other: of threads in y, of CTAs in z. Both are told.
//# run y=zeros z=zeros --grid 2 --device sim expect-error "thread 1 writes `y[0, 0]`, which thread 0 wrote, with no `barrier()` between (block (0, 0, 0))"
//# run y=zeros z=zeros --grid 2 --device sim expect-error "block (1, 0, 0) writes `z[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel two(y: tensor<i32>[2, 32], z: tensor<i32>[1]) {
  z[0] = i32(ctx.block.x)
  y[ctx.block.x, 0] = i32(ctx.lane)
}
