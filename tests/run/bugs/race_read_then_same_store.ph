// A thread reads an element and stores to it; another stores the same value, with no barrier between. The store changes nothing that
// is there, but it may come before the read.
//# run O=zeros P=zeros --grid 1 --device sim expect-error "thread 0 writes `O[0]`, which thread 63 read, with no `barrier()` between"
@launch(64)
kernel race(O: tensor<f32>[64], P: tensor<f32>[64]) {
  O[ctx.thread] = 0.0
  barrier()
  P[ctx.thread] = O[63 - ctx.thread]
  O[63 - ctx.thread] = 1.0
  O[ctx.thread] = 1.0
}
