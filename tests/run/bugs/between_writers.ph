// Threads that store one value are a set of any kind: whoever stands between two of them is none of them.

//# run O=zeros --grid 1 --device sim expect-error "thread 3 writes `O[0]`, which thread 5 wrote, with no `barrier()` between"
@launch(32)
kernel one_between(O: tensor<i32>[1]) {
  if ctx.thread == 5 { O[0] = 1 }
  if ctx.thread == 3 || ctx.thread == 9 { O[0] = 2 }
}

//# run O=zeros --grid 1 --device sim expect-error "thread 0 writes `O[0]`, which thread 1 wrote, with no `barrier()` between"
@launch(32)
kernel even_and_odd(O: tensor<i32>[1]) {
  if ctx.lane % 2 == 1 && ctx.lane < 30 { O[0] = 1 }
  if ctx.lane % 2 == 0 { O[0] = 2 }
}

//# run O=zeros --grid 1 --device sim expect-error "thread 0 writes `O[0]`, which thread 32 wrote, with no `barrier()` between"
@launch(128)
kernel one_warp_between(O: tensor<i32>[1]) {
  if ctx.warp == 1 { O[0] = 1 }
  if ctx.warp != 1 { O[0] = 2 }
}

//# run O=zeros R=zeros --grid 1 --device sim expect-error "thread 5 reads `O[0]`, which thread 3 wrote, with no `barrier()` between"
@launch(32)
kernel reads_between(O: tensor<i32>[1], R: tensor<i32>[32]) {
  if ctx.thread == 3 || ctx.thread == 9 { O[0] = 2 }
  if ctx.thread == 5 { R[ctx.thread] = O[0] }
}

// A thread that is behind may store its first value after the second of another one.
//# run O=zeros R=zeros --grid 1 --device sim expect-error "with no `barrier()` between"
@launch(32)
kernel reads_a_late_one(O: tensor<i32>[1], R: tensor<i32>[32]) {
  for k in range(0, 2) {
    O[0] = i32(k)
  }
  R[ctx.thread] = O[0]
}
