// What the simulator does not do it says.

//# run O=zeros f=zeros G=2100 --grid 2100 --device sim expect-warning "races between CTAs were not looked for: of a kernel with `load_acquire` that takes a grid of at most 2048 CTAs"
@launch(32)
kernel unsought(O: tensor<i32>[1], f: tensor<i32>[G]) {
  O[0] = i32(ctx.block.x)
  store_release(f, ctx.block.x, 1)
  let v = load_acquire(f, ctx.block.x)
}

//# run O=zeros flag=zeros G=1025 --grid 1025 --device sim expect-error "`load_acquire` waits for CTAs that cannot begin: the simulator runs at most 1024 at once"
@launch(32)
kernel last_one_releases(O: tensor<i32>[G], flag: tensor<i32>[1]) {
  let b = ctx.block.x
  if b == G - 1 {
    store_release(flag, 0, 1)
  } else {
    while load_acquire(flag, 0) == 0 {
    }
  }
  O[b] = 1
}
