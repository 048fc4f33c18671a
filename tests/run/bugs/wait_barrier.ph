// One CTA leaves before the barrier of the grid.
//# run bar=zeros --grid 4 --device sim expect-error "`grid_barrier` waits for ever: block (3, 0, 0) has ended without reaching it (block (0, 0, 0))"
@launch(32)
@persistent
kernel meet(bar: tensor<i32>[2]) {
  if ctx.block.x == 3 {
    return
  }
  grid_barrier(bar)
}
