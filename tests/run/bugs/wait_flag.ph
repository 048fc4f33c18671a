// The flag is raised at another place than where it is looked for.
//# run flag=zeros out=zeros --grid 3 --device sim expect-error "`load_acquire` waits for ever: `flag[1]` stays 0, and nobody is left to change it (block (2, 0, 0))"
@launch(32)
kernel relay(flag: tensor<i32>[4], out: tensor<i32>[3]) {
  let b = ctx.block.x
  if b > 0 {
    while load_acquire(flag, b - 1) == 0 {
    }
  }
  out[b] = 1
  if b != 1 {
    store_release(flag, b, 1)
  }
}
