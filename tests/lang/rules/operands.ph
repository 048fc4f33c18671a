// Rule 2: the scalars that a CTA-wide operation takes are uniform.

@launch(128)
kernel slices(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  let row = ctx.block.x * ctx.warps + ctx.warp    //~ related: `row` is set to a value that differs between warps
  O[row :+ 1, :] = A[0 :+ 1, :]                   //! error: the store to `O` takes `row`, which differs between warps, because of `ctx.warp`
  O[0 :+ 1, :] = A[row :+ 1, :]                   //! error: the copy of `A[…]` takes `row`, which differs between warps
  O[0 :+ 1, :] = A[row + 1 :+ 1, :]               //! error: the copy of `A[…]` takes `row + 1`
  O[row :+ 1, :] = A[row :+ 1, :]                 //! error: the store to `O` takes `row`
  let t = A[0 :+ 8, 0 :+ 16]
  let u = t[0 :+ 1, ctx.lane :+ 4]                //! error: the copy of `t[…]` takes `ctx.lane`, which differs between lanes
  let v = A[ctx.lane]                             //! error: the copy of `A[…]` takes `ctx.lane`
  O[0 :+ 1, 0 :+ 128] = v
}

@launch(128)
kernel sweeps(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128], s: f32) {
  var t = A[0 :+ 8, 0 :+ 16]
  let x = A[0, ctx.lane]                          //? x: varying
  t = t * x                                       //! error: the elementwise sweep `t * x` takes `x`, which differs between lanes, because of `ctx.lane`
  t = t * s + exp(t - x * 2.0)                    //! error: the elementwise sweep `t * s + exp(t - x * 2.0)` takes `x * 2.0`
  t = where(t > x, t, s)                          //! error: takes `x`, which differs between lanes
  t = tmax(t, x) + tmin(t, x)                     //! error: takes `x`
  t += x                                          //! error: the elementwise sweep `t += x` takes `x`
  t = x                                           //! error: the fill with `x` takes `x`
  O[0 :+ 8, 0 :+ 16] = x                          //! error: the store to `O` takes `x`
  O[0 :+ 8, 0 :+ 16] += x                         //! error: the store to `O` takes `x`
  O[0 :+ 8, 0 :+ 16] = rowmax(t * x)              //! error: the elementwise sweep `t * x` takes `x`
  t = t * sum<over ctx.thread>(x)
  t = t * sum<over ctx.lane>(x)                   //! error: takes `sum<over ctx.lane>(x)`, which differs between warps
  t = t * A[0, 0] + s
}

@launch(128)
kernel two_faults_in_one_statement(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  let x = ctx.lane
  let y = ctx.warp
  O[x :+ 1, 0 :+ 128] = A[y :+ 1, 0 :+ 128]       //! error: the store to `O` takes `x`, which differs between lanes   //! error: the copy of `A[…]` takes `y`, which differs between warps
}

@launch(128)
kernel atomics(C: tensor<i32>[8], O: tensor<i32>[8]) {
  let i = ctx.lane % 8                            //? i: varying
  let n = i32(ctx.warp)
  let a = atomic_add(C, i, 1)                     //! error: `atomic_add` takes `i`, which differs between lanes   //? a: uniform
  let b = atomic_max(C, 0, n)                     //! error: `atomic_max` takes `n`, which differs between warps
  let c = atomic_cas(C, 0, n, 1)                  //! error: `atomic_cas` takes `n`
  let d = load_acquire(C, i)                      //! error: `load_acquire` takes `i`
  store_release(C, 1, n)                          //! error: `store_release` takes `n`
  O[i] = a + b + c + d
}

@launch(128)
kernel both_rules(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  if ctx.lane == 0 {
    O[ctx.warp :+ 1, :] = A[0 :+ 1, :]            //! error: every thread must reach it   //! error: takes `ctx.warp`, which differs between warps
  }
}

@launch(128)
kernel one_source_of_both(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  if ctx.lane < 5 {
    O[0, ctx.lane :+ 1] = A[1, ctx.lane :+ 1]     //! error: every thread must reach it   //~ fix: Take the one element with a point subscript
  }
}

@launch(128)
kernel a_long_operand(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  O[0 :+ 1, :] = A[(ctx.block.x * ctx.threads + ctx.thread) * 4 / 128 + ctx.block.y * 1024 :+ 1, :]   //! error: takes `(ctx.block.x * ctx.threads + ctx.thread) * 4 / 1…`, which differs
}

@launch(128)
kernel over_several_lines(A: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  let t = A[0 :+ 16, 0 :+ 16]
  let x = A[0, ctx.lane]
  O[0 :+ 16, 0 :+ 16] =
    t *                                           //! error: the elementwise sweep `t * x` takes `x`
    x
}

@launch(128)
kernel own_elements_and_runs(W: tensor<f32>[128, 128], O: tensor<f32>[128, 128]) {
  let t = W[0 :+ 8, 0 :+ 16]
  let at = ctx.lane * 4
  O[0, ctx.thread] = sum(W[ctx.warp, at :+ 4] * W[0, at :+ 4]) + max(t[0, ctx.lane :+ 2])
  O[1, ctx.thread] = elem(t, ctx.thread) + t[ctx.warp, ctx.lane % 16]
}
