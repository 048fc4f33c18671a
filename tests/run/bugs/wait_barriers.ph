// Barriers that count in different tensors are different barriers.

//# run a=zeros b=zeros --grid 2 --device sim expect-error "`grid_barrier` waits for ever: it counts in `a`, and block (1, 0, 0) waits at one that counts in `b` (block (0, 0, 0))"
@launch(32)
@persistent
kernel apart(a: tensor<i32>[2], b: tensor<i32>[2]) {
  if ctx.block.x == 0 {
    grid_barrier(a)
  } else {
    grid_barrier(b)
  }
}

//# run a=zeros b=zeros --grid 2 --device sim expect-error "waits at one that counts in `b`"
@launch(32)
@persistent
kernel crossed(a: tensor<i32>[2], b: tensor<i32>[2]) {
  if ctx.block.x == 0 {
    grid_barrier(a)
    grid_barrier(b)
  } else {
    grid_barrier(b)
    grid_barrier(a)
  }
}

//# run f=zeros bar=zeros --grid 2 --device sim expect-error "`load_acquire` waits for ever: `f[0]` stays 0, and every CTA that is left waits, too (block (1, 0, 0))"
@launch(32)
@persistent
kernel flag_against_barrier(f: tensor<i32>[1], bar: tensor<i32>[2]) {
  if ctx.block.x == 0 {
    grid_barrier(bar)
    store_release(f, 0, 1)
  } else {
    while load_acquire(f, 0) == 0 { }
    grid_barrier(bar)
  }
}
