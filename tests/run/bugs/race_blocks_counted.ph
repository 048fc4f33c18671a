// Plain reads of what other CTAs change by atomics or releases.

// A total, read by each CTA as soon as it has added its part.
//# run x=ones O=zeros T=zeros --grid 4 --device sim expect-error "block (3, 0, 0) reads `T[0]`, which block (0, 0, 0) updated, and nothing orders the two"
@launch(32)
kernel shares(x: tensor<f32>[128], T: tensor<f32>[1], O: tensor<f32>[128]) {
  let at = ctx.block.x * 32 + ctx.lane
  atomic_add(T, 0, sum<over ctx.thread>(x[at]))
  O[at] = x[at] / T[0]
}

// As a slice.
//# run C=zeros O=zeros --grid 4 --device sim expect-error "block (3, 0, 0) reads `C[0, 2]`, which block (0, 0, 0) updated, and nothing orders the two"
@launch(32)
kernel counted(C: tensor<i32>[1, 4], O: tensor<i32>[4, 4]) {
  atomic_add(C, 2, 1)
  O[ctx.block.x :+ 1, :] = C[0 :+ 1, :]
}

// What another CTA releases, read without acquiring it.
//# run F=zeros O=zeros --grid 4 --device sim expect-error "block (1, 0, 0) writes `F[0]`, which block (0, 0, 0) read, and nothing orders the two"
@launch(32)
kernel peeked(F: tensor<i32>[1], O: tensor<i32>[4]) {
  if ctx.block.x == 1 {
    store_release(F, 0, 7)
  }
  O[ctx.block.x] = F[0]
}

// The wait itself is told as a wait (PH0616); what is read behind it meets the others' counting.
//# run O=zeros f=zeros --grid 2 --device sim expect-error "block (1, 0, 0) updates `f[0]`, which block (0, 0, 0) read, and nothing orders the two"
@launch(32)
kernel waited(O: tensor<i32>[1], f: tensor<i32>[1]) {
  atomic_add(f, 0, 1)
  if ctx.block.x == 0 {
    while f[0] < 2 {
    }
    O[0] = f[0]
  }
}
