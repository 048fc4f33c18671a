// Each CTA takes one lock and then waits for the other's.
//# run lock=zeros --grid 2 --device sim expect-error "`atomic_cas` waits for ever: `lock[1]` stays 1, and every CTA that is left waits, too (block (0, 0, 0))"
@launch(32)
kernel crossed(lock: tensor<i32>[2]) {
  let b = ctx.block.x
  while atomic_cas(lock, b, 0, 1) != 0 {
  }
  while atomic_add(lock, 1 - b, 0) == 0 {
  }
  while atomic_cas(lock, 1 - b, 0, 1) != 0 {
  }
}
