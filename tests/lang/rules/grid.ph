// What keeps some CTAs from a `grid_barrier`. How many there are is known at launch, so it is a warning.
fn settle(bar: tensor<i32>[2]) {
  grid_barrier(bar)                     //! warning PH0306: `grid_barrier` waits for every CTA of the grid, and the `for` around it differs between CTAs, because of `ctx.block`
}

@launch(64)
@persistent
kernel skipped(x: tensor<f32>[N], bar: tensor<i32>[2], count: tensor<i32>[1]) {
  for i in range(ctx.block.x, 64, ctx.blocks.x) {
    settle(bar)
    x[i] = 1.0
  }
  let old = atomic_add(count, 0, 1)
  if old == 3 {
    grid_barrier(bar)                   //! warning PH0306: because of `atomic_add`
  }
  let mine = x[ctx.block.x]             //~ related: `mine` is set to a value that differs between CTAs
  while mine > 3.0 {
    grid_barrier(bar)                   //! warning PH0306: the `while` around it differs between CTAs
  }
  let b = ctx.block.x
  if b > 3 {
    return                              //~ related: leaves the kernel in some CTAs only
  }
  grid_barrier(bar)                     //! warning PH0306: whether a `return` leaves the kernel first differs between CTAs
}

@launch(64)
@persistent
kernel reached(x: tensor<f32>[N], bar: tensor<i32>[2], n: i32) {
  if n > 3 {
    grid_barrier(bar)
  }
  if ctx.block.x == 0 {
    x[0] = 1.0
    grid_barrier(bar)
  } else if ctx.block.x == 1 {
    grid_barrier(bar)
  } else {
    grid_barrier(bar)
  }
  for i in range(0, n) {
    grid_barrier(bar)
    x[i] = 1.0
  }
  if ctx.lane == 0 {
    grid_barrier(bar)                   //! error PH0301: the `if` around it differs between lanes
  }
}
