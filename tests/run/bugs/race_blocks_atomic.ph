// Each CTA zeroes the count before it adds to it, and with that the counts of those that were faster.
//# run count=zeros --grid 8 --device sim expect-error "block (7, 0, 0) updates `count[0]`, which block (0, 0, 0) wrote"
@launch(32)
kernel counted(count: tensor<i32>[1]) {
  count[0] = 0
  atomic_add(count, 0, 1)
}
