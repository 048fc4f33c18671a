// What `grid_barrier` counts in is its own.

//# run bar=zeros --grid 4 --device sim expect-error "`bar[0]` is changed, and `grid_barrier` counts in this tensor (block (0, 0, 0))"
@launch(32)
@persistent
kernel zeroed(bar: tensor<i32>[2]) {
  bar[0] = 0
  grid_barrier(bar)
}

//# run bar=zeros --grid 4 --device sim expect-error "`bar[0]` is changed, and `grid_barrier` counts in this tensor (block (0, 0, 0))"
@launch(32)
@persistent
kernel counted(bar: tensor<i32>[2]) {
  atomic_add(bar, 0, 1)
  grid_barrier(bar)
}

//# run bar=zeros --grid 4 --device sim expect-error "`bar[1]` is changed, and `grid_barrier` counts in this tensor (block (0, 0, 0))"
@launch(32)
@persistent
kernel between(bar: tensor<i32>[2]) {
  grid_barrier(bar)
  bar[1] = 5
  grid_barrier(bar)
}

//# run bar=zeros --grid 1 --device sim expect-error "`bar[0]` is changed, and `grid_barrier` counts in this tensor (block (0, 0, 0))"
@launch(32)
@persistent
kernel whole(bar: tensor<i32>[2]) {
  grid_barrier(bar)
  bar[0 :+ 2] = 0
}
