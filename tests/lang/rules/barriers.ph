// Rule 3: a `barrier()` between what a thread stored on its own and a CTA-wide read of that buffer, on every way.

@launch(128)
kernel each_way_of_storing(A: tensor<f32>[1, 128], O: tensor<f32>[1, 128]) {
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  var u: tile<f32>[1, 128] = A[0 :+ 1, :]
  var v: tile<f32>[1, 128] = A[0 :+ 1, :]
  var w: tile<f32>[1, 128] = A[0 :+ 1, :]
  t[0, ctx.thread] = 1.0                           //~ related: the per-thread store: its index differs between lanes
  u[0, 3] = A[0, ctx.warp]                         //~ related: the per-thread store: its value differs between warps
  if ctx.warp == 0 {
    v[0, 3] = 1.0                                  //~ related: the per-thread store: its control differs between warps
  }
  w[0, ctx.thread] += 1.0
  O[0 :+ 1, :] = t                                 //! error: the store to `O` reads `t` after a per-thread store to it with no `barrier()` between
  O[0 :+ 1, :] = u                                 //! error: reads `u` after
  O[0 :+ 1, :] = v                                 //! error: reads `v` after
  O[0 :+ 1, :] = w                                 //! error: reads `w` after
}

@launch(128)
kernel each_way_of_reading(A: tensor<f32>[16, 16], C: tensor<i32>[128], O: tensor<f32>[16, 16]) {
  var t = A[0 :+ 16, 0 :+ 16]
  var u = A[0 :+ 16, 0 :+ 16]
  t[ctx.warp, ctx.lane % 16] = 1.0
  let _a = t                                       //! error: the copy of `t` reads `t` after
  let b = t[0 :+ 4, 0 :+ 4]                        //~ related: the copy of `t[…]` reads `t` here, as early
  let c = exp(t) + 1.0                             //~ related: the elementwise sweep `exp(t) + 1.0` reads `t` here, as early
  let d = dot(u, t)                                //~ related: `dot` reads `t` here, as early
  let e = rowsum(t)                                //~ related: `rowsum` reads `t` here, as early
  let f = transpose(t)                             //~ related: `transpose` reads `t` here, as early
  u += dot(t, u)                                   //~ related: `dot` reads `t` here, as early
  let g = rowmax(t + t)[0, 0]                      //~ related: `rowmax` reads `t` here, as early
  O[0 :+ 16, 0 :+ 16] = u + t                      //~ related: the store to `O` reads `t` here, as early
  A[ctx.warp, ctx.lane % 16] = 2.0
  O[0 :+ 4, 0 :+ 4] = A[0 :+ 4, 0 :+ 4]            //! error: the store to `O` reads `A`
  O[ctx.warp, ctx.lane % 16] = 2.0
  O[0 :+ 4, 0 :+ 4] += b                           //! error: the store to `O` reads `O`
  C[ctx.thread] = 1
  let h = atomic_add(C, 3, 1)                      //! error: `atomic_add` reads `C`
  let i = load_acquire(C, 3)                       //~ related: `load_acquire` reads `C` here, as early
  store_release(C, 3, 1)
}

@launch(128)
kernel an_accumulator_is_read(A: tensor<f32>[16, 16], O: tensor<f32>[16, 16]) {
  let a = A[0 :+ 16, 0 :+ 16]
  var acc = A[0 :+ 16, 0 :+ 16]
  acc[ctx.warp, ctx.lane % 16] = 0.0
  acc += dot(a, a)                                 //! error: `dot` reads `acc` after
  O[0 :+ 16, 0 :+ 16] = acc
}

@launch(128)
kernel no_read_of_the_whole(A: tensor<f32>[16, 16], O: tensor<f32>[16, 16]) {
  var t = A[0 :+ 16, 0 :+ 16]
  t[ctx.warp, ctx.lane % 16] = 1.0
  t[ctx.warp, 0] += t[0, 0]
  O[ctx.warp, ctx.lane % 16] = t[ctx.warp, 3] + elem(t, ctx.lane) + sum(t[ctx.warp, 0 :+ 4])
  store(t, ctx.thread, 1.0)
  let rows = extent(t, 0)                          //? rows: uniform
  t = A[0 :+ 16, 0 :+ 16]
  O[0 :+ 16, 0 :+ 16] = t
}

@launch(128)
kernel stores_by_position(A: tensor<f32>[16, 16], O: tensor<f32>[16, 16]) {
  var t = A[0 :+ 16, 0 :+ 16]
  store(t, ctx.thread, 1.0)                        //~ related: the per-thread store: its index differs between lanes
  O[0 :+ 16, 0 :+ 16] = t                          //! error: reads `t` after
  barrier()
  store(t, 3, 1.0)
  O[0 :+ 16, 0 :+ 16] = t
  store(t, 3, A[0, ctx.lane])                      //~ related: the per-thread store: its value differs between lanes
  O[0 :+ 16, 0 :+ 16] = t                          //! error: reads `t` after
}

@launch(128)
kernel a_view_is_its_tile(A: tensor<f32>[16, 16], O: tensor<f32>[1, 256]) {
  var t = A[0 :+ 16, 0 :+ 16]
  t[ctx.warp, ctx.lane % 16] = 1.0
  O[0 :+ 1, :] = flat(t)                           //! error: the store to `O` reads `t` after
  let f = flat(t)                                  //~ related: `flat` reads `t` here, as early
  O[0 :+ 1, :] = f
  barrier()
  O[0 :+ 1, :] = f
  O[0, ctx.thread] = flat(t)[0, ctx.thread]
}

// What is declared with a view is a tile of its own: read where it is declared, and not stored by who stores to the other.
@launch(64)
kernel a_view_is_copied_once(O: tensor<f32>[1, 1024]) {
  var t: tile<f32>[16, 64] = 0.0
  let before = flat(t)
  t[0, ctx.thread] = 5.0
  O[:] = before
  let v = flat(t)                                  //! error: `flat` reads `t` after   //~ fix: Insert `barrier()`
  barrier()
  O[:] = v
}

@launch(64)
kernel a_copy_is_stored(O: tensor<f32>[16, 64], P: tensor<f32>[1, 1024]) {
  var t: tile<f32>[16, 64] = 0.0
  var v = flat(t)
  v[0, ctx.thread] = 5.0
  O[:] = t
  P[:] = v                                         //! error: the store to `P` reads `v` after
}

fn view(t: tile<f32>[R, C]) -> tile<f32>[1, 1024] { return flat(t) }   //! error: `flat` reads `t` after

@launch(64)
kernel a_view_that_is_returned(O: tensor<f32>[1, 1024]) {
  var t: tile<f32>[16, 64] = 0.0
  t[0, ctx.thread] = 5.0
  let v = view(t)                                  //~ related: in this call of `view`
  barrier()
  O[:] = v
}

@launch(128)
kernel branches(A: tensor<f32>[1, 128], O: tensor<f32>[1, 128], n: i32) {
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  if n == 1 {
    t[0, ctx.thread] = 1.0
    barrier()
  } else if n == 2 {
    t[0, ctx.thread] = 2.0                         //~ related: the per-thread store
  }
  O[0 :+ 1, :] = t                                 //! error: reads `t` after
  barrier()
  if n == 3 {
    t[0, ctx.thread] = 1.0
  } else {
    O[0 :+ 1, :] = t
  }
  barrier()
  if n == 4 {
    t[0, ctx.thread] = 1.0
    return
  }
  O[0 :+ 1, :] = t
}

@launch(128)
kernel loops(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128], n: i32) {
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  for i in range(0, 8) {
    for j in range(0, n) {
      O[i :+ 1, :] = t                             //! error: reads `t` after
    }
    t[0, ctx.thread] = 1.0                         //~ related: the per-thread store, in an earlier iteration: its index differs between lanes
  }
  barrier()
  for i in range(0, 8) {
    t[0, ctx.thread] = 1.0
    if n == i {
      break
    }
    barrier()
    O[i :+ 1, :] = t
  }
  O[0 :+ 1, :] = t                                 //! error: reads `t` after
  barrier()
  for i in range(0, 8) {
    O[i :+ 1, :] = t                               //! error: reads `t` after
    t[0, ctx.thread] = 1.0
    if n == i {
      continue
    }
    barrier()
  }
  barrier()
  while rowmax(t)[0, 0] > 0.5 {                    //! error: `rowmax` reads `t` after   //~ no fix
    t[0, ctx.thread] = 0.0
  }
  barrier()
  for i in range(0, 8) {
    barrier()
    O[i :+ 1, :] = t
    t[0, ctx.thread] = 1.0
  }
}

@launch(128)
kernel new_every_time(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128]) {
  for i in range(0, 8) {
    var t: tile<f32>[1, 128] = A[i :+ 1, :]
    O[i :+ 1, :] = t
    t[0, ctx.thread] = 1.0
  }
  var u: tile<f32>[1, 128] = A[0 :+ 1, :]
  for i in range(0, 8) {
    u = A[i :+ 1, :]
    O[i :+ 1, :] = u
    u[0, ctx.thread] = 1.0
  }
  var v: tile<f32>[1, 128] = A[0 :+ 1, :]
  for i in range(0, 8) {
    v[0 :+ 1, 0 :+ 64] = A[i :+ 1, 0 :+ 64]
    O[i :+ 1, :] = v                               //! error: reads `v` after
    v[0, ctx.thread] = 1.0
  }
}

@launch(128)
kernel same_in_every_thread(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128], n: i32) {
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  for i in range(0, n) {
    if A[i, 0] > 0.5 {
      t[0, i] = A[i, 3] + f32(i)
    }
  }
  O[0 :+ 1, :] = t
}

@launch(128)
kernel within_one_condition(A: tensor<f32>[1, 128], O: tensor<f32>[1, 128], n: i32) {
  var t: tile<f32>[1, 128] = A[0 :+ 1, :]
  t[0, ctx.thread] = 2.0
  if n > 3 && rowmax(t)[0, 0] > 0.5 {              //! error: `rowmax` reads `t` after
    barrier()
  }
}
