// Counting without an atomic: every thread reads the count, adds one and writes it back.
//# run X=randint:0:4:1 N=128 H=zeros --grid 1 --device sim expect-error "with no `barrier()` between"
@launch(128)
kernel histogram(X: tensor<i32>[N], H: tensor<i32>[4]) {
  H[X[ctx.thread]] += 1
}
