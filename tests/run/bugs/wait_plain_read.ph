// A wait on a plain read, for what another CTA does store: the read may be done once, before the loop.

//# run O=zeros f=zeros --grid 2 --device sim expect-warning "a plain read in a loop may be done once, before the loop: `load_acquire` or an atomic reads `f` anew each time"
@launch(32)
kernel released(O: tensor<i32>[1], f: tensor<i32>[1]) {
  if ctx.block.x == 1 {
    store_release(f, 0, 1)
  } else {
    while f[0] == 0 {
    }
    O[0] = 1
  }
}

//# run O=zeros f=zeros --grid 2 --device sim expect-warning "a plain read in a loop may be done once"
@launch(32)
kernel counted(O: tensor<i32>[1], f: tensor<i32>[1]) {
  atomic_add(f, 0, 1)
  if ctx.block.x == 0 {
    while true {
      if f[0] >= 2 { break }
    }
    O[0] = 1
  }
}

// With a time-out: it may wait the whole time for what has long been there.
//# run O=zeros f=zeros --grid 2 --device sim expect-warning "a plain read in a loop may be done once"
@launch(32)
kernel timed(O: tensor<i32>[1], f: tensor<i32>[1]) {
  if ctx.block.x == 1 {
    store_release(f, 0, 1)
  } else {
    var n = 0
    while n < 1000 && f[0] == 0 {
      n += 1
    }
    O[0] = i32(n < 1000)
  }
}

//# run O=zeros f=zeros --grid 2 --device sim expect-warning "a plain read in a loop may be done once"
@launch(32)
kernel tried(O: tensor<i32>[1], f: tensor<i32>[1]) {
  if ctx.block.x == 1 {
    store_release(f, 0, 1)
  } else {
    for _i in range(0, 1000) {
      if f[0] != 0 {
        break
      }
    }
    O[0] = 1
  }
}

// Lane 0 goes round first, and lane 1 behind it, or not at all.
//# run O=zeros --grid 1 --device sim expect-error "`while` waits for ever: it reads only what this CTA has written, whose other threads wait for its end (block (0, 0, 0))"
@launch(32)
kernel lane_for_lane(O: tensor<i32>[2]) {
  if ctx.lane == 0 {
    while O[0] == 0 {
    }
  } else {
    if ctx.lane == 1 {
      O[0] = 1
    }
  }
}
