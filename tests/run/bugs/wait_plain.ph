// Waiting on a plain load, for what nobody writes any more. (That the load is no acquire is another bug, which is not reached.)
//# run flag=zeros out=zeros --grid 2 --device sim expect-error "`while` waits for ever: nothing that it reads will change (block (1, 0, 0))"
@launch(32)
kernel hopeful(flag: tensor<i32>[2], out: tensor<i32>[1]) {
  if ctx.block.x == 0 {
    flag[0] = 1
  } else {
    while flag[1] == 0 {
    }
    out[0] = 1
  }
}
