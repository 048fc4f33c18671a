// It is zeroed by the caller: where each CTA does so, one that is late undoes the count of those that wait.
//# run bar=zeros --grid 4 --device sim expect-error "block (3, 0, 0) updates `bar[0]`, which block (0, 0, 0) wrote"
@launch(32)
@persistent
kernel zeroed(bar: tensor<i32>[2]) {
  bar[0] = 0
  grid_barrier(bar)
}
