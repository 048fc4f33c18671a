// Kernels that are right, though they look as if they might not be: nothing is found in them.

// Reverse with barrier.
//# run x=iota O=zeros --grid 1
@launch(64)
kernel reverse_barrier(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var t: tile<f32>[1, 64]
  t[0, ctx.thread] = x[ctx.thread]
  barrier()
  O[ctx.thread] = t[0, 63 - ctx.thread]
}

// Tree reduction.
//# run x=iota O=zeros --grid 1
@launch(64)
kernel tree_reduction(x: tensor<f32>[64], O: tensor<f32>[1]) {
  var t: tile<f32>[1, 64]
  t[0, ctx.thread] = x[ctx.thread]
  barrier()
  var s = 32
  while s > 0 {
    if ctx.thread < s { t[0, ctx.thread] += t[0, ctx.thread + s] }
    barrier()
    s = s / 2
  }
  if ctx.thread == 0 { O[0] = t[0, 0] }
}

// Scan, two buffers.
//# run x=ones O=zeros --grid 1
@launch(64)
kernel scan_two_buffers(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var t: tile<f32>[2, 64]
  let i = ctx.thread
  t[0, i] = x[i]
  barrier()
  var d = 1
  var at = 0
  while d < 64 {
    var v = t[at, i]
    if i >= d { v += t[at, i - d] }
    t[1 - at, i] = v
    barrier()
    at = 1 - at
    d = d * 2
  }
  O[i] = t[at, i]
}

// Double buffering, one barrier a round.
//# run x=iota O=zeros --grid 1
@launch(64)
kernel double_buffering_barrier(x: tensor<f32>[6, 64], O: tensor<f32>[6, 64]) {
  var t: tile<f32>[2, 64]
  t[0, ctx.thread] = x[0, ctx.thread]
  barrier()
  for k in range(0, 6) {
    if k + 1 < 6 { t[(k + 1) % 2, ctx.thread] = x[k + 1, ctx.thread] }
    O[k, ctx.thread] = t[k % 2, 63 - ctx.thread]
    barrier()
  }
}

// Histogram by atomics over CTAs.
//# run x=randint:0:8:3 O=zeros --grid 16
@launch(32)
kernel histogram_atomics_over(x: tensor<i32>[16], O: tensor<i32>[8]) {
  atomic_add(O, x[ctx.block.x], 1)
}

// Private histogram a warp row.
//# run x=randint:0:8:3 O=zeros --grid 1
@launch(64)
kernel private_histogram_warp(x: tensor<i32>[64], O: tensor<i32>[8]) {
  var h: tile<i32>[64, 8] = 0
  h[ctx.thread, x[ctx.thread]] += 1
  barrier()
  if ctx.thread < 8 {
    var n: i32 = 0
    for i in range(0, 64) { n += h[i, ctx.thread] }
    O[ctx.thread] = n
  }
}

// Acquire/release flag.
//# run D=zeros F=zeros O=zeros --grid 2
@launch(32)
kernel acquire_release_flag(D: tensor<f32>[32], F: tensor<i32>[1], O: tensor<f32>[32]) {
  if ctx.block.x == 1 {
    D[ctx.thread] = 1.0
    store_release(F, 0, 1)
  } else {
    while load_acquire(F, 0) == 0 {}
    O[ctx.thread] = D[ctx.thread]
  }
}

// Decoupled look-back.
//# run x=ones S=zeros P=zeros F=zeros O=zeros N=512 --grid 16
@launch(32)
kernel decoupled_look_back(x: tensor<f32>[N], S: tensor<f32>[16], P: tensor<f32>[16], F: tensor<i32>[16],
                           O: tensor<f32>[N]) {
  let b = ctx.block.x
  let v = x[b * 32 + ctx.thread]
  let total = sum<over ctx.thread>(v)
  if ctx.thread == 0 { S[b] = total }
  store_release(F, b, 1)
  var before = 0.0
  var at = b - 1
  while at >= 0 {
    var state = load_acquire(F, at)
    while state == 0 { state = load_acquire(F, at) }
    if state == 2 {
      before += P[at]
      at = -1
    } else {
      before += S[at]
      at -= 1
    }
  }
  if ctx.thread == 0 { P[b] = before + total }
  store_release(F, b, 2)
  var t: tile<f32>[32, 1]
  t[ctx.thread, 0] = v
  barrier()
  let c = cumsum(t)
  var u: tile<f32>[32, 1] = c
  O[b * 32 + ctx.thread] = u[ctx.thread, 0] + before
}

// Grid barrier phases: heat.
//# run bar=zeros A=iota B=zeros --grid 4
@launch(32)
@persistent
kernel grid_barrier_phases(bar: tensor<i32>[2], A: tensor<f32>[128], B: tensor<f32>[128]) {
  let i = ctx.block.x * 32 + ctx.thread
  for k in range(0, 4) {
    if i > 0 && i < 127 { B[i] = 0.5 * (A[i - 1] + A[i + 1]) } else { B[i] = A[i] }
    grid_barrier(bar)
    A[i] = B[i]
    grid_barrier(bar)
  }
}

// In place elementwise over ragged edge.
//# run x=randn N=1000
@launch(128)
kernel place_elementwise_over(x: tensor<f32>[N]) {
  x[ctx.block.x * 128 :+ 128] = tmax(x[ctx.block.x * 128 :+ 128], 0.0)
}

// In place with thread access and bounds.
//# run x=randn N=1000 --grid 8
@launch(128)
kernel place_thread_access(x: tensor<f32>[N]) {
  let i = ctx.block.x * 128 + ctx.thread
  if i < N { x[i] = x[i] * x[i] }
}

// Last block reduces, ordered.
//# run x=ones P=zeros F=zeros O=zeros --grid 8
@launch(32)
kernel last_block_reduces(x: tensor<f32>[256], P: tensor<f32>[8], F: tensor<i32>[8], O: tensor<f32>[1]) {
  let b = ctx.block.x
  let s = sum<over ctx.thread>(x[b * 32 + ctx.thread])
  P[b] = s
  store_release(F, b, 1)
  if b == 0 {
    var total = 0.0
    for i in range(0, 8) {
      while load_acquire(F, i) == 0 {}
      total += P[i]
    }
    O[0] = total
  }
}

// Work queue by atomic tickets.
//# run Q=zeros O=zeros --grid 4
@launch(32)
kernel work_queue_atomic(Q: tensor<i32>[1], O: tensor<i32>[20, 32]) {
  var item = atomic_add(Q, 0, 1)
  while item < 20 {
    O[item, ctx.thread] = item * 100 + i32(ctx.thread)
    item = atomic_add(Q, 0, 1)
  }
}

// Lock by cas and release.
//# run L=zeros O=zeros --grid 6
@launch(32)
kernel lock_cas_release(L: tensor<i32>[1], O: tensor<i32>[2]) {
  while atomic_cas(L, 0, 0, 1) != 0 {}
  let seen = load_acquire(L, 0)
  let v = O[0]
  barrier()
  O[0] = v + seen
  store_release(L, 0, 0)
}

// Transpose through a padded tile.
//# run x=iota O=zeros M=64 N=64 --grid 2,2
@launch(128)
kernel transpose_through_padded(x: tensor<f32>[M, N], O: tensor<f32>[N, M]) {
  var t: tile<f32>[32, 33]
  let r = ctx.block.y * 32
  let c = ctx.block.x * 32
  for k in range(0, 8) { t[k * 4 + ctx.warp, ctx.lane] = x[r + k * 4 + ctx.warp, c + ctx.lane] }
  barrier()
  for k in range(0, 8) { O[c + k * 4 + ctx.warp, r + ctx.lane] = t[ctx.lane, k * 4 + ctx.warp] }
}

// Whole store then threads then whole store in a loop.
//# run x=iota O=zeros --grid 1
@launch(32)
kernel whole_store_then(x: tensor<f32>[4, 32], O: tensor<f32>[4, 32]) {
  for k in range(0, 4) {
    var t: tile<f32>[1, 32] = x[k :+ 1, :]
    O[k, ctx.thread] = t[0, 31 - ctx.thread]
  }
}

// Stencil with halo in a tile.
//# run x=iota O=zeros N=256
@launch(64)
kernel stencil_halo_tile(x: tensor<f32>[N], O: tensor<f32>[N]) {
  var t: tile<f32>[1, 66] = 0.0
  let at = ctx.block.x * 64
  t[0, ctx.thread + 1] = x[at + ctx.thread]
  if ctx.thread == 0 && at > 0 { t[0, 0] = x[at - 1] }
  if ctx.thread == 63 && at + 64 < N { t[0, 65] = x[at + 64] }
  barrier()
  O[at + ctx.thread] = t[0, ctx.thread] + t[0, ctx.thread + 2]
}

// Warp reduction, one writer a warp.
//# run x=iota O=zeros --grid 1
@launch(128)
kernel warp_reduction_writer(x: tensor<f32>[128], O: tensor<f32>[1]) {
  var t: tile<f32>[1, 4]
  let s = sum<over ctx.lane>(x[ctx.thread])
  if ctx.lane == 0 { t[0, ctx.warp] = s }
  barrier()
  if ctx.warp == 0 {
    let v = where(ctx.lane < 4, t[0, ctx.lane % 4], 0.0)
    let total = sum<over ctx.lane>(v)
    if ctx.lane == 0 { O[0] = total }
  }
}

// Bitonic sort.
//# run x=randint:0:1000:5 --grid 1
@launch(64)
kernel bitonic_sort(x: tensor<i32>[64]) {
  var t: tile<i32>[1, 64]
  let i = ctx.thread
  t[0, i] = x[i]
  barrier()
  var k = 2
  while k <= 64 {
    var j = k / 2
    while j > 0 {
      let other = i ^ j
      if other > i {
        let a = t[0, i]
        let b = t[0, other]
        let up = (i & k) == 0
        if (a > b) == up {
          t[0, i] = b
          t[0, other] = a
        }
      }
      barrier()
      j = j / 2
    }
    k = k * 2
  }
  x[i] = t[0, i]
}

// Early exit per thread, masked tail.
//# run x=iota O=zeros N=100 --grid 2
@launch(64)
kernel early_exit_per(x: tensor<f32>[N], O: tensor<f32>[N]) {
  let i = ctx.block.x * 64 + ctx.thread
  if i >= N { return }
  O[i] = x[i] / (x[i] + 1.0)
}

// Uniform overwrite in a loop by all.
//# run O=zeros --grid 3
@launch(32)
kernel uniform_overwrite_loop(O: tensor<i32>[1]) {
  O[0] = i32(ctx.blocks.x)
}

// Atomic max, then grid barrier, then read.
//# run bar=zeros M=zeros x=iota O=zeros --grid 4
@launch(32)
@persistent
kernel atomic_max_then(bar: tensor<i32>[2], M: tensor<i32>[1], x: tensor<i32>[4], O: tensor<i32>[4]) {
  atomic_max(M, 0, x[ctx.block.x])
  grid_barrier(bar)
  O[ctx.block.x] = M[0] * 10 + x[ctx.block.x]
}

// Ring exchange in place by two barriers.
//# run bar=zeros D=iota --grid 4
@launch(32)
@persistent
kernel ring_exchange_place(bar: tensor<i32>[2], D: tensor<i32>[4, 32]) {
  let v = D[(ctx.block.x + 1) % 4, ctx.thread]
  grid_barrier(bar)
  D[ctx.block.x, ctx.thread] = v
}

// Zeroed then barriers then atomics.
//# run bar=zeros C=full:7 --grid 4
@launch(32)
@persistent
kernel zeroed_then_barriers(bar: tensor<i32>[2], C: tensor<i32>[1]) {
  if ctx.block.x == 0 && ctx.thread == 0 { C[0] = 0 }
  grid_barrier(bar)
  atomic_add(C, 0, 1)
}

// Softmax by rows with ragged columns.
//# run x=randn:3 O=zeros R=5 C=100
@launch(64)
kernel softmax_rows_ragged(x: tensor<f32>[R, C], O: tensor<f32>[R, C]) {
  let t = x[ctx.block.x :+ 1, 0 :+ 128]
  let live = iota(1, 128, 1) < i32(C)
  let m = where(live, t, -1.0e30)
  let e = where(live, exp(m - rowmax(m)), 0.0)
  O[ctx.block.x :+ 1, 0 :+ 128] = e / rowsum(e)
}

// Gemm k loop ragged.
//# run A=randn:1 B=randn:2 C=zeros M=50 N=70 K=33 --atol 1e-5
@launch(128)
kernel gemm_k_loop(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  var acc: tile<f32>[32, 32] = 0.0
  for k in range(0, K, 16) { acc += dot(A[ctx.block.x * 32 :+ 32, k :+ 16], B[k :+ 16, ctx.block.y * 32 :+ 32]) }
  C[ctx.block.x * 32 :+ 32, ctx.block.y * 32 :+ 32] = acc
}

// Runs: each thread four elements in place.
//# run x=iota --grid 2
@launch(32)
kernel runs_each_thread(x: tensor<f32>[256]) {
  let at = (ctx.block.x * 32 + ctx.thread) * 4
  let s = sum(x[at :+ 4])
  for j in range(0, 4) { x[at + j] = x[at + j] / (s + 1.0) }
}

// Producer and consumer, several items, flags reused as counters.
//# run D=zeros F=zeros G=zeros O=zeros --grid 2
@launch(32)
kernel producer_consumer_several(D: tensor<f32>[32], F: tensor<i32>[1], G: tensor<i32>[1], O: tensor<f32>[4, 32]) {
  if ctx.block.x == 0 {
    for k in range(0, 4) {
      while load_acquire(G, 0) != i32(k) {}
      D[ctx.thread] = f32(k * 100 + ctx.thread)
      store_release(F, 0, i32(k) + 1)
    }
  } else {
    for k in range(0, 4) {
      while load_acquire(F, 0) != i32(k) + 1 {}
      O[k, ctx.thread] = D[ctx.thread]
      store_release(G, 0, i32(k) + 1)
    }
  }
}

// A thread's own element, stored and read many times.
//# run x=iota O=zeros --grid 1
@launch(64)
kernel thread_s_own(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var t: tile<f32>[1, 64]
  t[0, ctx.thread] = 0.0
  for k in range(0, 5) { t[0, ctx.thread] += x[(ctx.thread + k) % 64] }
  O[ctx.thread] = t[0, ctx.thread]
}

// Equal stores by all CTAs, read behind.
//# run T=zeros O=zeros --grid 5
@launch(32)
kernel equal_stores_all(T: tensor<f32>[32], O: tensor<f32>[5, 32]) {
  T[ctx.thread] = f32(ctx.thread) * 2.0
  O[ctx.block.x, ctx.thread] = T[ctx.thread]
}

// Shuffle butterflies.
//# run x=iota O=zeros --grid 1
@launch(64)
kernel shuffle_butterflies(x: tensor<f32>[64], O: tensor<f32>[64]) {
  var v = x[ctx.thread]
  v += shfl<xor 16>(v)
  v += shfl<xor 8>(v)
  v += shfl<xor 4>(v)
  v += shfl<xor 2>(v)
  v += shfl<xor 1>(v)
  O[ctx.thread] = v
}

// Load balance over persistent CTAs.
//# run bar=zeros x=ones T=zeros N=1000 --grid 3
@launch(32)
@persistent
kernel load_balance_over(bar: tensor<i32>[2], x: tensor<f32>[N], T: tensor<f32>[1]) {
  var s = 0.0
  for at in range(ctx.block.x * 32, N, ctx.blocks.x * 32) {
    if at + ctx.thread < N { s += x[at + ctx.thread] }
  }
  atomic_add(T, 0, sum<over ctx.thread>(s))
  grid_barrier(bar)
  for at in range(ctx.block.x * 32, N, ctx.blocks.x * 32) {
    if at + ctx.thread < N { x[at + ctx.thread] = x[at + ctx.thread] / T[0] }
  }
}

// Copies and what is made of a tile have the elements that it has; those that nobody asks for matter to nobody.

//# run O=zeros --grid 1 --device sim
@launch(32)
kernel half_of_twice(O: tensor<f32>[8, 16]) {
  var t: tile<f32>[16, 16]
  t[0 :+ 8, :] = 1.0
  let c = t * 2.0
  O[0 :+ 8, :] = c[0 :+ 8, :]
}

//# run O=zeros --grid 1 --device sim
@launch(32)
kernel half_of_copy(O: tensor<f32>[8, 16]) {
  var t: tile<f32>[16, 16]
  t[0 :+ 8, :] = 1.0
  let c = t
  t = 0.0
  O[0 :+ 8, :] = c[0 :+ 8, :]
}

//# run O=zeros --grid 1 --device sim
@launch(32)
kernel half_of_cumsum(O: tensor<f32>[8, 16]) {
  var t: tile<f32>[16, 16]
  t[0 :+ 8, :] = 1.0
  let c = cumsum(t)
  O[0 :+ 8, :] = c[0 :+ 8, :]
}

//# run O=zeros --grid 1 --device sim
@launch(32)
kernel points_of_twice(O: tensor<f32>[32]) {
  var t: tile<f32>[64]
  t[ctx.thread] = 3.0
  barrier()
  let c = t * 2.0
  O[ctx.thread] = c[ctx.thread]
}

//# run O=zeros n=4 --grid 1 --device sim
@launch(32)
kernel points_of_sums(O: tensor<f32>[8], n: i32) {
  var t: tile<f32>[8, 16]
  for r in range(0, n) { t[r :+ 1, :] = 1.0 }
  let s = rowsum(t)
  if ctx.thread < n { O[ctx.thread] = s[ctx.thread, 0] }
}

//# run x=iota O=zeros N=10 --grid 1 --device sim
@launch(32)
kernel points_of_quotients(x: tensor<i32>[N], O: tensor<i32>[N]) {
  let q = 100 / x[0 :+ 16]
  if ctx.thread > 0 && ctx.thread < N { O[ctx.thread] = q[ctx.thread] }
}

// A quotient that `where` does not pick.
//# run x=iota O=zeros --grid 1 --device sim
@launch(32)
kernel guarded(x: tensor<i32>[32], O: tensor<i32>[32]) {
  let d = x[ctx.thread]
  O[ctx.thread] = where(d != 0, 100 / d + 1, 0)
}
