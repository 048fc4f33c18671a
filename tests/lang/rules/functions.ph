// A function's body stands at each of its calls.

fn folded(x: f32) -> f32 {
  return sum<over ctx.lane>(x)                     //! error: `sum<over ctx.lane>` needs every lane of the warp
}

fn wait_here() {
  barrier()                                        //! error: `barrier()` runs once per CTA
}

fn scaled(t: tile<f32>[1, 128], s: f32) -> tile<f32>[1, 128] {
  return t * s                                     //! error: the elementwise sweep `t * s` takes `s`, which differs between lanes
}

fn first_or(x: f32, y: f32) -> f32 {
  if x > 0.0 {
    return x
  }
  return y
}

fn same(x: f32) -> f32 {
  if ctx.block.x > 1 {
    return x
  }
  return x * 2.0
}

fn put(t: tensor<f32>[8, 128], i: i64, v: f32) {
  t[i, ctx.thread] = v                             //~ related: the per-thread store
}

fn whole(t: tile<f32>[1, 128]) -> f32 {
  return rowmax(t)[0, 0]                           //! error: `rowmax` reads `u` after
}

@launch(128)
kernel calls(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128]) {
  let v = A[0, ctx.thread]
  let a = folded(v)                                //? a: warp-uniform
  if ctx.lane > 3 {
    O[0, ctx.thread] = folded(v)                   //~ related: in this call of `folded`
  }
  wait_here()
  if ctx.warp > 1 {                                //~ related: this `if` condition differs between warps
    wait_here()                                    //~ related: in this call of `wait_here`
  }
  let t: tile<f32>[1, 128] = A[0 :+ 1, :]
  O[0 :+ 1, :] = scaled(t, 2.0)
  O[0 :+ 1, :] = scaled(t, v)                      //~ related: `s` is passed a value that differs between lanes
  O[1, ctx.thread] = a
}

@launch(128)
kernel values(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128], s: f32) {
  let a = first_or(s, 2.0)                         //? a: uniform
  let b = first_or(A[0, ctx.warp], 2.0)            //? b: warp-uniform
  let c = first_or(s, A[0, ctx.lane])              //? c: varying
  if ctx.lane > 3 {
    let d = same(s)                                //? d: uniform
    let e = same(A[0, ctx.warp])                   //? e: warp-uniform
    O[1, ctx.thread] = d + e
  }
  O[0, ctx.thread] = a + b + c
}

@launch(128)
kernel a_return_leaves_only_the_call(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128]) {
  let a = first_or(A[0, ctx.lane], 2.0)            //? a: varying
  barrier()
  O[0, ctx.thread] = a
}

@launch(128)
kernel stores_in_functions(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128]) {
  put(A, 0, 1.0)
  O[0 :+ 1, :] = A[0 :+ 1, :]                      //! error: the store to `O` reads `A` after   //~ fix: Insert `barrier()`
  barrier()
  var u: tile<f32>[1, 128] = A[0 :+ 1, :]
  u[0, ctx.thread] = 1.0
  O[0, 0] = whole(u)                               //~ related: in this call of `whole`
}

// Told where the function is checked by itself, and not again for each call.
fn copies(A: tensor<f32>[M, 64], B: tensor<f32>[M, 64]) {
  A[0, ctx.lane] = 1.0
  B[0 :+ 1, :] = A[0 :+ 1, :]                    //! error: reads `A` after a per-thread store
}
@launch(64)
kernel calls_it_twice(X: tensor<f32>[4, 64], Y: tensor<f32>[4, 64], Z: tensor<f32>[4, 64]) {
  copies(X, Y)
  barrier()
  copies(X, Z)
}

// A tile that a call takes as another type is converted by the whole CTA, whatever the function does with it.
fn columns(t: tile<f32>[R, C]) -> i32 {
  return i32(extent(t, 1))
}

@launch(64)
kernel converted_argument(X: tensor<f16>[M, 8], O: tensor<i32>[64]) {
  let narrow = X[0 :+ 4, 0 :+ 8]
  let wide = f32(narrow)
  if ctx.lane == 0 {
    O[ctx.thread] = columns(wide)
    O[ctx.thread] = columns(narrow)            //! error PH0301: the copy of `narrow` runs once per CTA
  }
}
