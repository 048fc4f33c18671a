// Two CTAs give way to each other for ever: each sees that the other wants to, and takes its own wish back.
//# run wish=zeros --grid 2 --max-steps 100000 --device sim expect-error "took more than 100000 steps"
@launch(32)
kernel polite(wish: tensor<i32>[2]) {
  let b = ctx.block.x
  var inside = false
  while !inside {
    store_release(wish, b, 1)
    if load_acquire(wish, 1 - b) == 1 || ctx.blocks.x == 2 {
      store_release(wish, b, 0)
    } else {
      inside = true
    }
  }
}
