// More CTAs than the simulator keeps alive at a `grid_barrier`.
//# run bar=zeros --grid 100000 --device sim expect-error "`grid_barrier` waits for CTAs that cannot begin: the simulator runs at most"
@launch(32)
@persistent
kernel meet(bar: tensor<i32>[2]) {
  grid_barrier(bar)
}
