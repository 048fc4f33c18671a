// Races that the order of the first run does not show: in another one they are seen.

// It acquires both flags, and waits for one of them.
//# run O=zeros D=zeros f=zeros --grid 3 --device sim expect-error "block (0, 0, 0) writes `D[0]`, which block (2, 0, 0) read, and nothing orders the two"
@launch(32)
kernel waits_for_one(O: tensor<i32>[1], D: tensor<i32>[2], f: tensor<i32>[2]) {
  let b = ctx.block.x
  if b < 2 {
    D[b] = 42
    store_release(f, b, 1)
  } else {
    while load_acquire(f, 1) == 0 {
    }
    let _x = load_acquire(f, 0)
    O[0] = D[0] + D[1]
  }
}

// The same, where the one that waits is the first.
//# run O=zeros D=zeros f=zeros --grid 3 --device sim expect-error "block (2, 0, 0) writes `D[1]`, which block (0, 0, 0) read, and nothing orders the two"
@launch(32)
kernel first_waits(O: tensor<i32>[1], D: tensor<i32>[2], f: tensor<i32>[2]) {
  let b = ctx.block.x
  if b > 0 {
    D[b - 1] = 42
    store_release(f, b - 1, 1)
  } else {
    while load_acquire(f, 0) == 0 {
    }
    let _x = load_acquire(f, 1)
    O[0] = D[0] + D[1]
  }
}

// It waits for some time, and then goes on as if it had seen the flag.
//# run O=zeros D=zeros f=zeros --grid 2 --device sim expect-error "block (0, 0, 0) writes `D[0]`, which block (1, 0, 0) read, and nothing orders the two"
@launch(32)
kernel gives_up(O: tensor<i32>[1], D: tensor<i32>[1], f: tensor<i32>[1]) {
  if ctx.block.x == 0 {
    D[0] = 42
    store_release(f, 0, 1)
  } else {
    var n = 0
    while load_acquire(f, 0) == 0 && n < 100 {
      n += 1
    }
    O[0] = D[0]
  }
}
