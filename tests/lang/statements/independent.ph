// Each mistake is told once, none hides another, and what follows from one is silent: a kernel here has one to three of them.

fn plain(x: f32) -> f32 { return x + 1.0 }
fn of_tile(t: tile<f32>[R, C]) -> tile<f32>[R, C] { return t * 2.0 }
fn broken(x: f32) -> f32 { return x + missing }       //! error: there is no `missing` here
fn badly_typed(x: flaot) -> f32 { return x * 2.0 }    //! error: there is no type `flaot`

kernel k01(O: tensor<f32>[8]) {
  let a = nowhere                                     //! error: there is no `nowhere` here
  let b = a + 1
  let c = b * 2.0
  O[0] = c
  O[1] = tmax(a, c)
}
kernel k02(O: tensor<f32>[8]) {
  let a = nowhere + elsewhere                         //! error: `nowhere`   //! error: `elsewhere`
  O[0] = a
}
kernel k03(O: tensor<f32>[8]) {
  var x: f33 = 0.0                                    //! error: there is no type `f33`
  x = 1.0
  x += 2.0
  O[0] = x
}
kernel k04(A: tensor<f32>[M, N], O: tensor<f32>[8]) {
  let t = A[0 :+ 4, 0 :+ nothing]                     //! error: there is no `nothing` here
  let u = t + t
  let v = dot(u, u)
  O[0] = rowsum(v)[0, 0]
}
kernel k05(n: i32, O: tensor<f32>[8]) {
  for i in range(0, nowhere) {                        //! error: there is no `nowhere` here
    O[i] = unknown                                    //! error: there is no `unknown` here
  }
}
kernel k06(n: i32, O: tensor<f32>[8]) {
  if nowhere > 3 {                                    //! error: there is no `nowhere` here
    O[0] = n                                          //! error: write `f32(n)`
  } else {
    O[1] = absent                                     //! error: there is no `absent` here
  }
}
kernel k07(n: i32, O: tensor<f32>[8]) {
  let x = undefined_op(n, nowhere)                    //! error: `undefined_op`   //! error: `nowhere`
  O[0] = x
}
kernel k08(A: tensor<float>[M, K], O: tensor<f32>[M]) {   //! error: there is no type `float`
  let t = A[0 :+ 4, 0 :+ 4]
  O[K - 1] = rowsum(t)[0, 0]
}
kernel k09(A: tensor<f32>[M, K], O: tensor<f32>[M]) {
  let t: tile<flot>[W, 4] = 0.0                       //! error: there is no type `flot`   //! error: there is no `W` here
  O[0] = t[0, 0]
}
kernel k10(n: i32, O: tensor<f32>[8]) {
  O[0] = broken(1.0)
  O[1] = plain(nowhere)                               //! error: there is no `nowhere` here
}
kernel k11(n: i32, O: tensor<f32>[8]) {
  O[0] = plain(true)                                  //! error: `bool` is not assigned to `x` of type `f32`
  O[1] = plain(1.0, 2.0)                              //! error: `plain` takes 1 argument, not 2
}
kernel k12(n: i32, O: tensor<f32>[8]) {
  O[0] = badly_typed(1.0)
}
kernel k13(A: tensor<f32>[M, K], O: tensor<f32>[8, 8]) {
  let a = A[0 :+ 8, 0 :+ 4]
  let b = A[0 :+ 8, 0 :+ 8]
  let c = a + b                                       //! error: shapes [8, 4] and [8, 8]
  let d = of_tile(c)
  O[:, :] = d
  O[:, :] = a                                         //! error: a value of shape [8, 4]
}
kernel k14(A: tensor<f32>[M, K], O: tensor<f32>[8, 8]) {
  let a = A[0 :+ 8, 0 :+ 4]
  let s = dot(a, a)                                   //! error: 4 and 8 are not the same
  O[:, :] = s + 1.0
}
kernel k15(n: i32, O: tensor<f32>[8]) {
  x = 1.0                                             //! error: there is no `x` here
  O[0] = 2.0
}
kernel k16(n: i32, O: tensor<f32>[8]) {
  let a = 1
  a = nowhere                                         //! error: `a` cannot be assigned   //! error: there is no `nowhere` here
  O[0] = f32(a)
}
kernel k17(n: i32, O: tensor<f32>[8]) {
  let a = ctx.block                                   //! error: needs an axis
  let b = a * 32 + ctx.lan                            //! error: `ctx` has no field `lan`
  O[b] = 1.0
}
kernel k18(n: i32, O: tensor<f32>[8]) {
  let p = program_id(0) * 64 + ctx.thread             //! error: an older spelling
  O[p] = 1.0
}
kernel k19(n: i32, O: tensor<f32>[8]) {
  let t = ctx                                         //! error: read only through a field
  O[t] = t + 1.0
}
kernel k20(n: i32, flag: bool, O: tensor<f32>[8]) {
  let a = flag + n                                    //! error: does not go with
  let b = -a
  O[b] = f32(a)
}
kernel k21(n: i32, O: tensor<f32>[8]) {
  let a = 1 / 0                                       //! error: division by zero
  let b = a << 99
  O[b] = f32(a)
}
kernel k22(n: i32, O: tensor<f32>[8]) {
  let a = n << 40                                     //! error: a shift by 40
  let b = n / 0                                       //! error: division by zero
  O[0] = f32(a + b)
}
kernel k23(n: i32, O: tensor<f32>[8]) {
  let a: i8 = 300                                     //! error: 300 does not fit in `i8`
  O[0] = f32(a) + f32(a + 1)
}
kernel k24(n: i32, O: tensor<f32>[8]) {
  break                                               //! error: `break` stands outside of any loop
  O[0] = f32(n) + nowhere                             //! error: there is no `nowhere` here
}
kernel k25(n: i32, O: tensor<f32>[8]) {
  while n { O[0] = oops }                             //! error: a condition is a `bool`   //! error: there is no `oops` here
}
kernel k26(n: i32, O: tensor<f32>[8]) {
  let v = O[0, 0]                                     //! error: 2 subscripts for `O`
  O[0] = v
}
kernel k27(n: i32, O: tensor<f32>[8]) {
  O[nowhere] = elsewhere                              //! error: `nowhere`   //! error: `elsewhere`
}
kernel k28(n: i32, O: tensor<f32>[8]) {
  missing_tensor[n] = wrong_name                      //! error: `missing_tensor`   //! error: `wrong_name`
}
kernel k29(n: i32, O: tensor<f32>[8]) {
  let t = missing_tensor[0 :+ 4, nowhere :+ 4]        //! error: `missing_tensor`   //! error: `nowhere`
  O[0] = t[0, 0] + rowsum(t)[0, 0]
}
kernel k30(n: i32, O: tensor<f32>[8]) {
  let a = 1
  let a = nowhere                                     //! error: `a` is already declared   //! error: there is no `nowhere` here
  O[a] = 1.0
}
kernel k31(a: i32, a: f32, O: tensor<f32>[8]) {       //! error: `a` is already declared
  O[0] = f32(a)
}
@launch(100)                                          //! error: a positive multiple of 32, not 100
kernel k32(O: tensor<f32>[8]) {
  O[ctx.warps] = nowhere                              //! error: there is no `nowhere` here
}
@autotune(BLOCK in [0, 64])                           //! error: `@autotune` takes
kernel k33(A: tensor<f32>[M, BLOCK], O: tensor<f32>[8]) {
  var t: tile<f32>[BLOCK, 4] = 0.0
  t = A[0 :+ BLOCK, 0 :+ 4]
  O[0] = t[0, 0]
}
@aligned(Q = 32)                                      //! error: `@aligned` names `Q`
kernel k34(A: tensor<f32>[M, K], O: tensor<f32>[8]) {
  O[0] = A[0, K * missing]                            //! error: there is no `missing` here
}
kernel k35(n: i32, O: tensor<f32>[8]) {
  let f = exp(true)                                   //! error: `exp` takes
  O[0] = exp(f) + exp(n)                              //! error: `exp` takes a float, not `i32`
}
kernel k36(n: i32, O: tensor<f32>[8]) {
  let f = where(n, 1.0, 2.0)                          //! error: `where` takes
  let g = where(n > 0, f, 2.0)
  O[0] = g
}
kernel k37(n: i32, O: tensor<f32>[8]) {
  let s = sum<over ctx.lane>(nowhere)                 //! error: there is no `nowhere` here
  O[0] = s
}
kernel k38(n: i32, O: tensor<f32>[8]) {
  let s = min(n, 3)                                   //! error: the smaller of two is `tmin`
  O[s] = 1.0
}
@launch(64)
kernel k39(A: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  if ctx.lane == 0 {
    O[:, :] = A[:, :] * nowhere                       //! error: there is no `nowhere` here
    barrier()                                         //! error: every thread must reach it
  }
}
@launch(64)
kernel k40(A: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  if ctx.lane == 0 {
    O[:, :] = exp(A[:, :]) * 2.0 + rowmax(A[:, :])    //! error: every thread must reach it
  }
}
@launch(64)
kernel k41(A: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  var t: tile<f32>[4, 64] = 0.0
  t[0, ctx.thread] = 1.0
  O[:, :] = t + t * t                                 //! error: with no `barrier()` between
  O[:, :] = t                                         //~ related: the store to `O` reads `t` here, as early
}
@launch(64)
kernel k42(A: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  let i = ctx.thread
  let t = A[0 :+ 4, i :+ 1]                           //! error: takes `i`, which differs between lanes
  let u = t * 2.0
  O[0 :+ 4, 0 :+ 1] = u
}
@launch(64)
kernel k43(A: tensor<f32>[4, 64], O: tensor<f32>[4, 64]) {
  for i in range(0, ctx.lane) {
    let t = A[0 :+ 4, i :+ 1]                         //! error: every thread must reach it
    O[0 :+ 4, i :+ 1] = t                             //! error: every thread must reach it
  }
}
kernel k44(n: i32, O: tensor<f32>[8]) -> f32 {        //! error: a kernel returns nothing
  O[0] = f32(n)
  return 1.0                                          //! error: a kernel returns no value
}
fn k45(x: f32) -> f32 {
  let y = nowhere                                     //! error: there is no `nowhere` here
  return y
}
fn k46(x: f32) -> flaot {                             //! error: there is no type `flaot`
  return x
}
fn k47(x: f32) -> f32 {                               //! error: can end without a `return`
  if x > nowhere { return 1.0 }                       //! error: there is no `nowhere` here
}
kernel k48(n: i32, O: tensor<f32>[8]) {
  let t = generate(plain, 1.0)                        //! error: its type is not declared
  O[0] = t[0, 0]
}
kernel k49(n: i32, O: tensor<f32>[8]) {
  let t = iota(nowhere, 4, 0)                         //! error: there is no `nowhere` here
  O[0] = f32(t[0, 0])
}
kernel k50(n: i32, O: tensor<f32>[8]) {
  let old = atomic_add(missing_tensor, nowhere, 1)    //! error: `missing_tensor`   //! error: `nowhere`
  O[old] = 1.0
}
kernel k51(n: i32, O: tensor<f32>[8]) {
  let x = n.foo                                       //! error: `n` has no fields
  let y = nowhere.bar                                 //! error: there is no `nowhere` here
  O[0] = x + y
}
kernel k52(n: i32, O: tensor<f32>[8]) {
  let x = (nowhere + 1)(2)                            //! error: there is no `nowhere` here
  let y = n(unknown)                                  //! error: no function   //! error: there is no `unknown` here
  O[0] = x + y
}
kernel k53(n: i32, O: tensor<f32>[8]) {
  var x: f32                                          //! error: `x` needs an initial value
  x = nowhere                                         //! error: there is no `nowhere` here
  O[0] = x
}
kernel k54(n: i32, O: tensor<f32>[8]) {
  for i in range(0, n, 0) {                           //! error: must be positive, not 0
    i = 3                                             //! error: `i` cannot be assigned
    O[i] = true                                       //! error: `bool` is not assigned to `O[i]`
  }
}
kernel k55(A: tensor<f32>[M, N, P, Q, R], O: tensor<f32>[8]) {   //! error: ranks are 1 to 4
  let t = A[0 :+ 4, 0, 0, 0, 0]
  O[P] = t[0]
}
kernel k56(t: tile<f32>[4, 4], O: tensor<f32>[8]) {   //! error: a kernel takes tensors and scalars
  O[0] = t[0, 0]
}
kernel k57(n: i32, O: tensor<f32>[8]) {
  if n > 0 && nowhere || absent {                     //! error: `nowhere`   //! error: `absent`
    O[0] = 1.0
  }
}
kernel k58(A: tensor<f32>[M, N], O: tensor<f32>[8]) {
  let t = A[0.5 :+ 4, 0 :+ 4.0]                       //! error: not `f32`   //! error: not `f32`
  O[0] = t[0, 0]
}
kernel k59(A: tensor<f32>[M, N], O: tensor<f32>[8]) {
  let t = A[0 :+ 4, 0 :+ M]                           //! error: must be a compile-time constant
  let u = A[0 :+ 4, 0 :+ 4] + t
  O[0] = rowsum(u)[0, 0]
}
kernel k60(n: i32, O: tensor<f32>[8]) {
  let x = exp(1.0, nowhere)                           //! error: `exp` takes 1 argument, not 2   //! error: there is no `nowhere` here
  O[0] = x
}
kernel k61(n: i32, O: tensor<f32>[8]) {
  let big = 9223372036854775807 + 1                   //! error: does not fit in the 64 bits
  let at = big * 2
  O[at] = 1.0
}
kernel k62(n: i32, O: tensor<f32>[8]) {
  O[0] = 1.0e400 * 2.0                                //! error: `1.0e400` does not fit
  O[1] = 99999999999999999999 + 1.0                   //! error: `99999999999999999999` is too large
}
kernel k63(n: i32, O: tensor<f32>[8]) {
  let t = shfl<xor nowhere>(absent)                   //! error: `nowhere`   //! error: `absent`
  O[0] = t
}
kernel k64(A: tensor<f32>[M, N], O: tensor<f32>[8, 8]) {
  O[0 :+ 4, 0 :+ nowhere] = A[0 :+ absent, 0 :+ 4]    //! error: `nowhere`   //! error: `absent`
  O[0 :+ 4, 0 :+ 4] += A[0 :+ 2, 0 :+ 4]              //! error: shapes [4, 4] and [2, 4]
}
kernel k65(n: i32, O: tensor<f32>[8]) {
  if n > 0 {
    let inner = nowhere                               //! error: there is no `nowhere` here
    O[0] = inner
  }
  O[1] = inner                                        //! error: there is no `inner` here
}
