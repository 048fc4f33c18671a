// What was meant by a name or a spelling that is not there.

kernel ended(O: tensor<f32>[N]) {
  for i in range(0, 4) { O[i] = 1.0 }              //~ related: the loop of this `i` has ended
  let I = 2
  O[i] = f32(I)                                    //! error PH0101: there is no `i` here; a loop's variable ends with its loop   //~ no fix
}

@launch(64)
kernel fields(O: tensor<f32>[N]) {
  O[thread] = f32(block.x)                         //! error PH0101: this thread is `ctx.thread`   //~ fix: Change to `ctx.thread`   //! error PH0101: this CTA's index is `ctx.block.x`   //~ fix: Change to `ctx.block.x`
}

kernel lanes(O: tensor<f32>[N], C: tensor<i32>[N], f: f32, n: i32) {
  O[0] = shfl<up 1.5>(f)                           //! error PH0209: the lane of a shuffle is an integer, not `f32`
  atomic_add(C, f, 1)                              //! error PH0209: a position is an integer, not `f32`   //~ fix: Convert to `i32`
  atomic_add(C[0], 1)                              //! error PH0210: `atomic_add` takes a tensor and a position in it: `atomic_add(C, 0, 1)`   //~ fix: Change to `atomic_add(C, 0, 1)`
  atomicMax(&C[n], 3)                              //! error PH0012: there are no references: `atomic_max` takes a tensor and a position in it   //~ fix: Write `atomic_max(C, …)`
  atomic_sub(C, 0, n + 1)                          //! error PH0102: there is no operation or function `atomic_sub`   //~ fix: Change to `atomic_add(C, 0, -(n + 1))`
  atomic_or(C, 0, n)                               //! error PH0102: the atomic operations are   //~ no fix
  O[1] = __shfl_xor_sync(0xffffffff, f, 1, 16)     //! error PH0102: goes over a whole warp, of 32 lanes   //~ no fix
  O[2] = __shfl_xor_sync(0xffffffff, f, 1, 32)     //! error PH0102: `__shfl_xor_sync`   //~ fix: Change to `shfl<xor 1>(f)`
  O[3] = exp[f]                                    //! error PH0116: `exp` takes its arguments in parentheses: `exp(…)`   //~ fix: Write `(…)`
}

kernel lengths(O: tensor<f32>[M, K], n: i32) {
  var T = 16
  O[0 :+ T, 0] = 1.0                               //! error PH0206: the length of a slice, `T`, must be a compile-time constant   //~ fix: Declare it with `let`
  O[n % 8 : n % 8 + 4, 0] = 1.0                    //! error PH0206: must be a compile-time constant   //~ fix: Take `4` elements
  O[: -4, 0] = 1.0                                 //! error PH0221: the slice `: -4` ends before it begins: nothing is counted from the end
  let t = O[0 :+ 4, 0 :+ 4]
  store(t, 0, 1.0)                                 //! error PH0104: `t` cannot be assigned   //~ fix: Declare it with `var`
  O[-1, 0] = 2.0                                   //! warning PH0234: `O` has no element -1 along axis 0, whose extent is M   //~ fix: Count from the end: `M - 1`
}

kernel waits(bar: tensor<i32>[2], O: tensor<f32>[N]) {
  grid_barrier(bar)                                //! error PH0404: `grid_barrier` needs a `@persistent` kernel   //~ fix: Make the kernel `@persistent`
  O[0] = 1.0
}

fn compares(x: f32) -> f32 {
  return x > 0.0                                   //! error PH0228: `compares` gives an `f32`, not a `bool`   //~ fix: Convert to `f32`
}

fn exp(x: f32) -> f32 {                            //! hint PH0115: `exp` shadows the built-in of that name
  return x
}
