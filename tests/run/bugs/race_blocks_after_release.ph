// What a CTA has released it no longer has for itself: the other one overwrites it while the first still reads.
//# run D=zeros F=zeros O=zeros --grid 2 --device sim expect-error "which block (0, 0, 0) read, and nothing orders the two"
@launch(32)
kernel after_release(D: tensor<f32>[32], F: tensor<i32>[1], O: tensor<f32>[32]) {
  if ctx.block.x == 0 {
    D[ctx.thread] = 1.0
    store_release(F, 0, 1)
    O[ctx.thread] = D[ctx.thread]
  } else {
    while load_acquire(F, 0) == 0 {
    }
    D[ctx.thread] = 2.0
  }
}
