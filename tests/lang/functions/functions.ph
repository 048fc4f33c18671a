// Functions: generic in dimensions, what unifies at a call, recursion, and what is found in one that nobody calls.
fn rows(t: tile<f32>[R, C], X: tensor<f32>[M, C], n: i32, b: bool) -> f32 {
  if b {
    return t[0, 0] + f32(R + C)
  }
  return X[n, 0] + f32(M)
}

fn square(t: tile<f32>[N, N]) -> tile<f32>[N, N] {
  return transpose(t) * 2.0
}

fn fixed(t: tile<f32>[4, C]) -> f32 {
  return t[3, C - 1]
}

fn doubled(x: f32) -> f32 {
  return x * 2.0
}

fn fill(O: tensor<f32>[N], x: f32) {
  O[ctx.thread] = x
  return
}

@launch(64)
kernel accepted(X: tensor<f32>[M, 8], O: tensor<f32>[64], n: i32) {
  let t = X[0 :+ 4, 0 :+ 8]
  let a = rows(t, X, n, true)                  //? a: uniform
  let b = rows(t, X, i32(ctx.lane), false)     //? b: varying
  let c: tile<f32>[8, 8] = square(X[0 :+ 8, 0 :+ 8])  //? c: uniform
  let d = doubled(3) + fixed(t)                //? d: uniform
  fill(O, a + b + d + c[0, 0])
}

@launch(64)
kernel refused(X: tensor<f32>[M, 8], W: tensor<i32>[64], O: tensor<f32>[64], n: i32) {
  let t = X[0 :+ 4, 0 :+ 8]
  let a = doubled()                            //! error: `doubled` takes 1 argument, not 0
  let b = doubled(n)                           //! error: `i32` is not assigned to `f32`
  let c = square(t)                            //! error: shapes [4, 8] and [4, 4] do not agree along axis 1
  let d = fixed(X[0 :+ 8, 0 :+ 8])             //! error: shapes [8, 8] and [4, 8] do not agree along axis 0
  let e = square(iota(4))                      //! error: `square` takes a `tile<f32>` of rank 2
  let f = fill(O, 1.0)                         //! error: gives no value
  let g = rows(t, O, n, true)                  //! error: `rows` takes a `tensor<f32>` of rank 2
  let h = rows(X, X, n, true)                  //! error: `rows` takes a `tile<f32>` of rank 2
  let i = rows(t, t, n, true)                  //! error: `rows` takes a `tensor<f32>` of rank 2
  fill(W, 1.0)                                 //! error: `fill` takes a `tensor<f32>` of rank 1
  let j = doubled<over ctx.lane>(1.0)          //! error: `doubled` takes no `<…>`
  let k = doubled(doubled)                     //! error: `doubled` is a function
}

fn to_itself(n: i32) -> i32 {
  return to_itself(n - 1)                      //! error: `to_itself` calls itself
}

fn ping(n: i32) -> i32 {
  return pong(n)                               //! error: recursion is not possible, since calls are inlined: `ping` → `pong` → `ping`
}

fn pong(n: i32) -> i32 {
  return ping(n)                               //~ related: `pong` calls on here
}

fn uncalled(t: tile<f32>[R, C], n: i32) -> f32 {
  let a = nothing                              //! error: there is no `nothing` here
  let b = t[0, 0, 0]                           //! error: 3 subscripts for `t`
  let c = t + true                             //! error: does not go with
  let d: tile<f32>[R, 4] = t[0 :+ R, 0 :+ 4]
  if n > 3 {
    return dot(t, transpose(t))[0, 0]
  }
  return d[0, 0]
}

fn falls_off(x: f32) -> f32 {                  //! error: its body can end without a `return`
  if x > 0.0 {
    return x
  }
}

fn wrong_result(x: f32) -> i32 {
  return x                                     //! error: `f32` is not assigned to `i32`
}

fn no_result(x: f32) {
  return x                                     //! error: `no_result` declares no result
}

fn unit_result(x: f32) -> f32 {
  return                                       //! error: `return` needs a value
}

fn three(a: i32, b: i32, c: i32) -> i32 { return a + b + c }
@launch(64)
kernel every_argument(x: tensor<i32>[64]) {
  x[0] = three(ctx.thread, ctx.warp, ctx.lane)   //! error PH0204: write `i32(ctx.thread)`   //! error PH0204: write `i32(ctx.warp)`   //! error PH0204: write `i32(ctx.lane)`   //~ fix: Convert to `i32`
}
