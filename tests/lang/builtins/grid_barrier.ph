// `grid_barrier`: every CTA of a `@persistent` kernel waits for every other, at a tensor of two i32.
fn everyone(bar: tensor<i32>[2]) {
  grid_barrier(bar)
}

@launch(64)
@persistent
kernel accepted(bar: tensor<i32>[2], O: tensor<f32>[64], n: i32) {
  O[ctx.thread] = 1.0
  grid_barrier(bar)
  for i in range(0, n) {
    everyone(bar)
  }
}

@launch(64)
@persistent
kernel refused(bar: tensor<i32>[2], wide: tensor<i64>[2], long: tensor<i32>[3], O: tensor<i32>[M, 2]) {
  grid_barrier()                               //! error: `grid_barrier` takes 1 argument, not 0
  grid_barrier(bar, bar)                       //! error: `grid_barrier` takes 1 argument, not 2
  grid_barrier(wide)                           //! error: `grid_barrier` takes a `tensor<i32>[2]`
  grid_barrier(long)                           //! error: `grid_barrier` takes a `tensor<i32>[2]`
  grid_barrier(O)                              //! error: `grid_barrier` takes a `tensor<i32>[2]`
  grid_barrier(bar[0])                         //! error: `grid_barrier` takes the name of a tensor
  let a = grid_barrier(bar)                    //! error: gives no value
  if ctx.lane == 0 {
    grid_barrier(bar)                          //! error: `grid_barrier` runs once per CTA
  }
}

@launch(64)
kernel not_persistent(bar: tensor<i32>[2]) {
  grid_barrier(bar)                            //! error: `grid_barrier` needs a `@persistent` kernel
}
