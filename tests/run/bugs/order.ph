// Mistakes that show only if CTAs come in another order than that of their numbers.

// The consumer does not look at what it has acquired.
//# run O=zeros D=zeros f=zeros --grid 2 --device sim expect-error "`D[0]`"
@launch(32)
kernel unheeded(O: tensor<i32>[1], D: tensor<i32>[1], f: tensor<i32>[1]) {
  if ctx.block.x == 0 {
    D[0] = 42
    store_release(f, 0, 1)
  } else {
    let ignored = load_acquire(f, 0)
    O[0] = D[0] + 0 * ignored
  }
}

// It waits for one value too few.
//# run O=zeros D=zeros f=zeros --grid 2 --device sim expect-error "`D[1]`"
@launch(32)
kernel one_too_few(O: tensor<i32>[1], D: tensor<i32>[2], f: tensor<i32>[1]) {
  if ctx.block.x == 0 {
    D[0] = 1
    store_release(f, 0, 1)
    D[1] = 2
    store_release(f, 0, 2)
  } else {
    while load_acquire(f, 0) < 1 {
    }
    O[0] = D[0] + D[1]
  }
}

// The producer does not wait for room in the ring.
//# run O=zeros ring=zeros head=zeros --grid 2 --device sim expect-error "`ring["
@launch(32)
kernel no_room(O: tensor<i32>[64], ring: tensor<i32>[4], head: tensor<i32>[1]) {
  if ctx.block.x == 0 {
    for i in range(0, 64) {
      ring[i % 4] = i32(i * i)
      store_release(head, 0, i32(i + 1))
    }
  } else {
    for i in range(0, 64) {
      while load_acquire(head, 0) <= i32(i) {
      }
      O[i] = ring[i % 4]
    }
  }
}

// Work that is handed out by a load and a store, so that two may take the same.
//# run O=zeros t=zeros --grid 4 --device sim expect-error "`O["
@launch(32)
kernel tickets(O: tensor<i32>[64], t: tensor<i32>[1]) {
  var w = load_acquire(t, 0)
  store_release(t, 0, w + 1)
  while w < 64 {
    O[w] = i32(ctx.block.x)
    w = load_acquire(t, 0)
    store_release(t, 0, w + 1)
  }
}

// Two locks, taken in two orders.
fn take(l: tensor<i32>[N], i: i32) {
  while atomic_cas(l, i, 0, 1) != 0 {
  }
  let _a = load_acquire(l, i)
}

//# run O=zeros l=zeros --grid 2 --device sim expect-error "waits for ever"
@launch(32)
kernel crossed_locks(O: tensor<i32>[32], l: tensor<i32>[2]) {
  let b = i32(ctx.block.x)
  take(l, b)
  take(l, 1 - b)
  O[ctx.thread] += 1
  store_release(l, 1 - b, 0)
  store_release(l, b, 0)
}
