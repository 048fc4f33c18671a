// `dp4a`: the products of four signed bytes, added to an i32; each thread on its own.
@launch(64)
kernel accepted(W: tensor<i32>[64], O: tensor<i32>[64], n: i32) {
  var acc: i32 = 0                             //? acc: varying
  for i in range(0, 4) {
    acc = dp4a(W[i], W[ctx.thread], acc)
  }
  let a: i32 = dp4a(n, 0x01010101, 0)          //? a: uniform
  if ctx.lane == 0 {
    O[ctx.thread] = dp4a(a, acc, 1)
  }
}

@launch(64)
kernel refused(W: tensor<i32>[64], Q: tensor<i8>[64], n: i32, x: f32) {
  let a = dp4a(n, n)                           //! error: `dp4a` takes 3 arguments, not 2
  let b = dp4a(n, n, x)                        //! error: `dp4a` takes scalars of type `i32`, not `f32`
  let c = dp4a(Q[0], n, n)                     //! error: `dp4a` takes scalars of type `i32`, not `i8`
  let d = dp4a(W[0 :+ 4], n, n)                //! error: `dp4a` takes scalars of type `i32`
}
