// A flag says that the data is there, but it is raised by an atomic, which orders nothing: the data may come later than the flag.
//# run data=zeros flag=zeros out=zeros --grid 2 --device sim expect-error "block (1, 0, 0) reads `data[0]`, which block (0, 0, 0) wrote"
@launch(32)
kernel hand_over(data: tensor<i32>[32], flag: tensor<i32>[1], out: tensor<i32>[32]) {
  if ctx.block.x == 0 {
    data[ctx.thread] = i32(ctx.thread) + 1
    atomic_exch(flag, 0, 1)
  } else {
    while load_acquire(flag, 0) == 0 {
    }
    out[ctx.thread] = data[ctx.thread]
  }
}
