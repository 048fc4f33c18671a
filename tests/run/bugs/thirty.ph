// Thirty mistakes of a kind that people make, each found.

// Reversed through a tile without a barrier.
//# run x=iota O=zeros --grid 1 --device sim expect-error "thread 0 reads `t[0, 63]`, which thread 63 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel reversed_through_tile(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var t: tile<f32>[1, 64]
  t[0, ctx.thread] = x[ctx.thread]
  O[ctx.thread] = t[0, 63 - ctx.thread]
}

// Tree reduction with missing barrier inside the loop.
//# run x=iota O=zeros --grid 1 --device sim expect-error "thread 0 reads `t[0, 16]`, which thread 16 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel tree_reduction_missing(x: tensor<f32>[64], O: tensor<f32>[1]) {
  var t: tile<f32>[1, 64] = 0.0
  t[0, ctx.thread] = x[ctx.thread]
  barrier()
  var s = 32
  while s > 0 {
    if ctx.thread < s { t[0, ctx.thread] += t[0, ctx.thread + s] }
    s = s / 2
  }
  barrier()
  if ctx.thread == 0 { O[0] = t[0, 0] }
}

// Scan, single buffer, one barrier too few.
//# run x=ones O=zeros --grid 1 --device sim expect-error "thread 1 writes `t[0, 1]`, which thread 2 read, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel scan_single_buffer(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var t: tile<f32>[1, 64] = 0.0
  let i = ctx.thread
  t[0, i] = x[i]
  barrier()
  var d = 1
  while d < 64 {
    if i >= d { t[0, i] = t[0, i] + t[0, i - d] }
    barrier()
    d = d * 2
  }
  O[i] = t[0, i]
}

// Histogram in shared memory by plain increments.
//# run x=randint:0:8 O=zeros --grid 1 --device sim expect-error "thread 0 writes `h[0, 0]`, which thread 54 read, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel histogram_shared_memory(x: tensor<i32>[64], O: tensor<i32>[8]) {
  var h: tile<i32>[1, 8] = 0
  h[0, x[ctx.thread]] += 1
  barrier()
  if ctx.thread < 8 { O[ctx.thread] = h[0, ctx.thread] }
}

// Histogram across CTAs by plain increments, each by one thread.
//# run x=randint:0:2 O=zeros --grid 8 --device sim expect-error "block (7, 0, 0) reads `O[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel histogram_across_ctas(x: tensor<i32>[8], O: tensor<i32>[2]) {
  if ctx.thread == 0 { O[x[ctx.block.x]] += 1 }
}

// Stencil in place across CTAs.
//# run x=iota --grid 4 --device sim expect-error "block (1, 0, 0) reads `x[31]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel stencil_place_across(x: tensor<f32>[128]) {
  let i = ctx.block.x * 32 + ctx.thread
  var v = x[i]
  if i > 0 { v = v + x[i - 1] }
  barrier()
  x[i] = v
}

// Flag by plain store.
//# run D=zeros F=zeros O=zeros --grid 2 --device sim expect-error "block (1, 0, 0) reads `F[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel flag_plain_store(D: tensor<f32>[32], F: tensor<i32>[1], O: tensor<f32>[32]) {
  if ctx.block.x == 0 {
    D[ctx.thread] = 1.0
    barrier()
    if ctx.thread == 0 { F[0] = 1 }
  } else {
    while load_acquire(F, 0) == 0 {}
    O[ctx.thread] = D[ctx.thread]
  }
}

// Flag by atomic (relaxed).
//# run D=zeros F=zeros O=zeros --grid 2 --device sim expect-error "block (1, 0, 0) reads `D[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel flag_atomic_relaxed(D: tensor<f32>[32], F: tensor<i32>[1], O: tensor<f32>[32]) {
  if ctx.block.x == 0 {
    D[ctx.thread] = 1.0
    barrier()
    atomic_exch(F, 0, 1)
  } else {
    while load_acquire(F, 0) == 0 {}
    O[ctx.thread] = D[ctx.thread]
  }
}

// Release before the data.
//# run D=zeros F=zeros O=zeros --grid 2 --device sim expect-error "block (1, 0, 0) reads `D[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel release_before_data(D: tensor<f32>[32], F: tensor<i32>[1], O: tensor<f32>[32]) {
  if ctx.block.x == 0 {
    store_release(F, 0, 1)
    D[ctx.thread] = 1.0
  } else {
    while load_acquire(F, 0) == 0 {}
    O[ctx.thread] = D[ctx.thread]
  }
}

// Double buffering, the same buffer twice.
//# run x=iota O=zeros --grid 1 --device sim expect-error "thread 0 reads `t[0, 63]`, which thread 63 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(64)
kernel double_buffering_same(x: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  var t: tile<f32>[2, 64] = 0.0
  t[0, ctx.thread] = x[0, ctx.thread]
  barrier()
  for k in range(0, 3) {
    t[0, ctx.thread] = x[k + 1, ctx.thread]
    O[k, ctx.thread] = t[k % 2, 63 - ctx.thread]
    barrier()
  }
}

// Overlapping tiles written with other values.
//# run O=zeros --grid 3 --device sim expect-error "block (1, 0, 0) writes `O[30]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel overlapping_tiles_written(O: tensor<f32>[100]) {
  O[ctx.block.x * 30 :+ 32] = f32(ctx.block.x)
}

// Grid barrier missing between phases.
//# run A=zeros B=zeros --grid 4 --device sim expect-error "block (3, 0, 0) reads `A[0, 0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel grid_barrier_missing(A: tensor<f32>[4, 32], B: tensor<f32>[4, 32]) {
  A[ctx.block.x, ctx.thread] = 1.0
  barrier()
  B[ctx.block.x, ctx.thread] = A[(ctx.block.x + 1) % 4, ctx.thread]
}

// Warp-synchronous habit.
//# run x=iota O=zeros --grid 1 --device sim expect-error "thread 0 reads `t[0, 1]`, which thread 1 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(32)
kernel warp_synchronous_habit(x: tensor<f32>[32], O: tensor<f32>[32]) {
  var t: tile<f32>[1, 32] = 0.0
  t[0, ctx.lane] = x[ctx.lane]
  O[ctx.lane] = t[0, (ctx.lane + 1) % 32]
}

// Two tiles: one value written by each warp.
//# run x=iota O=zeros --grid 1 --device sim expect-error "thread 0 reads `t[0, 1]`, which thread 32 wrote, with no `barrier()` between (block (0, 0, 0))"
@launch(128)
kernel two_tiles_value(x: tensor<f32>[128], O: tensor<f32>[1]) {
  var t: tile<f32>[1, 4] = 0.0
  let s = sum<over ctx.lane>(x[ctx.thread])
  t[0, ctx.warp] = s
  if ctx.thread == 0 { O[0] = t[0, 0] + t[0, 1] + t[0, 2] + t[0, 3] }
}

// Look-back by atomics only.
//# run x=ones S=zeros F=zeros O=zeros --grid 4 --device sim expect-error "block (1, 0, 0) reads `S[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel look_back_atomics(x: tensor<f32>[128], S: tensor<f32>[4], F: tensor<i32>[4], O: tensor<f32>[4]) {
  let b = ctx.block.x
  var total = sum<over ctx.thread>(x[b * 32 + ctx.thread])
  if b > 0 {
    while atomic_add(F, b - 1, 0) == 0 {}
    total = total + S[b - 1]
  }
  S[b] = total
  atomic_exch(F, b, 1)
  O[b] = total
}

// Off by one at the end.
//# run x=iota O=zeros --grid 2 --device sim expect-error "`x` is accessed past the end: index 64 of axis 0, whose extent is 64 (block (1, 0, 0), thread 31)"
@launch(32)
kernel off_end(x: tensor<f32>[64], O: tensor<f32>[64]) {
  let i = ctx.block.x * 32 + ctx.thread
  O[i] = x[i + 1] - x[i]
}

// Before the start.
//# run x=iota O=zeros --grid 2 --device sim expect-error "`x` is accessed before the start: index -1 of axis 0, whose extent is 64 (block (0, 0, 0), thread 0)"
@launch(32)
kernel before_start(x: tensor<f32>[64], O: tensor<f32>[64]) {
  let i = ctx.block.x * 32 + ctx.thread
  O[i] = x[i - 1]
}

// Index from data.
//# run x=full:70 O=zeros --grid 1 --device sim expect-error "`O` is accessed past the end: index 70 of axis 0, whose extent is 64 (block (0, 0, 0), thread 0)"
@launch(32)
kernel index_data(x: tensor<i32>[32], O: tensor<f32>[64]) {
  O[x[ctx.thread]] = 1.0
}

// Elem past the tile.
//# run O=zeros --grid 1 --device sim expect-error "`t` is accessed past the end: index 16 of axis 0, whose extent is 16 (block (0, 0, 0), thread 16)"
@launch(32)
kernel elem_tile(O: tensor<f32>[32]) {
  var t: tile<f32>[4, 4] = 1.0
  O[ctx.thread] = elem(t, ctx.thread)
}

// Atomic out of bounds.
//# run C=zeros --grid 4 --device sim expect-error "`C` is accessed past the end: index 3 of axis 0, whose extent is 3 (block (3, 0, 0), thread 0)"
@launch(32)
kernel atomic_out_bounds(C: tensor<i32>[3]) {
  atomic_add(C, ctx.block.x, 1)
}

// Accumulator never initialised.
//# run x=ones O=zeros --grid 1 --device sim expect-error "`acc[0, 0]` is read, and nothing has written it (block (0, 0, 0))"
@launch(32)
kernel accumulator_initialised(x: tensor<f32>[32, 32], O: tensor<f32>[32, 32]) {
  var acc: tile<f32>[32, 32]
  for k in range(0, 2) { acc += dot(x[:, 0 :+ 32], x[:, 0 :+ 32]) }
  O[:, :] = acc
}

// Conditionally written.
//# run x=ones O=zeros --grid 1 --device sim expect-error "`t[0, 31]` is read, and nothing has written it (thread 0, block (0, 0, 0))"
@launch(32)
kernel conditionally_written(x: tensor<f32>[32], O: tensor<f32>[32]) {
  var t: tile<f32>[1, 32]
  if x[ctx.thread] > 2.0 { t[0, ctx.thread] = 1.0 }
  barrier()
  O[ctx.thread] = t[0, 31 - ctx.thread]
}

// Division by a zero from data.
//# run x=iota O=zeros --grid 1 --device sim expect-error "integer division by zero (block (0, 0, 0), thread 0)"
@launch(32)
kernel division_zero_data(x: tensor<i32>[32], O: tensor<i32>[32]) {
  O[ctx.thread] = 100 / x[ctx.thread]
}

// Modulo by zero of a tile.
//# run x=iota O=zeros --grid 1 --device sim expect-error "integer division by zero (block (0, 0, 0), thread 0)"
@launch(32)
kernel modulo_zero_tile(x: tensor<i32>[32], O: tensor<i32>[32]) {
  O[0 :+ 32] = 100 % x[0 :+ 32]
}

// Shift past the width.
//# run x=iota O=zeros --grid 1 --device sim expect-warning "a shift by 32 in a type of 32 bits counts modulo the width (32 in all, the first in block (0, 0, 0), thread 32)"
@launch(64)
kernel shift_width(x: tensor<i32>[64], O: tensor<i32>[64]) {
  O[ctx.thread] = i32(1) << x[ctx.thread]
}

// Conversion saturates.
//# run x=full:300 O=zeros --grid 1 --device sim expect-warning "300 does not fit i8 and becomes 127 (32 in all, the first in block (0, 0, 0), thread 0)"
@launch(32)
kernel conversion_saturates(x: tensor<f32>[32], O: tensor<i8>[32]) {
  O[ctx.thread] = i8(x[ctx.thread])
}

// Waits for a flag that nobody sets.
//# run F=zeros O=zeros --grid 2 --device sim expect-error "`load_acquire` waits for ever: `F[0]` stays 0, and every CTA that is left waits, too (block (0, 0, 0))"
@launch(32)
kernel waits_flag_that(F: tensor<i32>[2], O: tensor<i32>[2]) {
  while load_acquire(F, ctx.block.x) == 0 {}
  store_release(F, 1 - ctx.block.x, 1)
}

// Spin lock never released.
//# run L=zeros O=zeros --grid 3 --device sim expect-error "thread 0 writes `O[0]`, which thread 31 read, with no `barrier()` between (block (0, 0, 0))"
@launch(32)
kernel spin_lock_released(L: tensor<i32>[1], O: tensor<i32>[1]) {
  while atomic_cas(L, 0, 0, 1) != 0 {}
  O[0] = O[0] + 1
}

// Grid barrier in a loop, uneven rounds.
//# run bar=zeros --grid 3 --device sim expect-error "`grid_barrier` waits for ever: block (0, 0, 0) has ended without reaching it (block (1, 0, 0))"
@launch(32)
@persistent
kernel grid_barrier_loop(bar: tensor<i32>[2]) {
  for i in range(0, ctx.block.x + 1) { grid_barrier(bar) }
}

// While never ends for one lane.
//# run x=iota O=zeros --grid 1 --device sim expect-error "`while` waits for ever: nothing changes any more for thread 0 (block (0, 0, 0))"
@launch(32)
kernel while_ends_lane(x: tensor<i32>[32], O: tensor<i32>[32]) {
  var n = x[ctx.thread]
  while n != 1 {
    if n % 2 == 0 { n = n / 2 } else { n = 3 * n + 1 }
  }
  O[ctx.thread] = n
}

// Lock released by a plain store.
//# run L=zeros O=zeros --grid 3 --device sim expect-error "block (2, 0, 0) updates `L[0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel lock_released_plain(L: tensor<i32>[1], O: tensor<i32>[1]) {
  while atomic_cas(L, 0, 0, 1) != 0 {}
  if ctx.thread == 0 {
    O[0] = O[0] + 1
    L[0] = 0
  }
}
