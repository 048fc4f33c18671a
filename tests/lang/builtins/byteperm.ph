// `byteperm`: four bytes out of eight, by the nibbles of the selector; i32 in each thread on its own.
@launch(64)
kernel accepted(W: tensor<i32>[64], O: tensor<i32>[64], n: i32) {
  let a: i32 = byteperm(n, 0, 0x5140)          //? a: uniform
  let b = byteperm(W[ctx.lane], n, n)          //? b: varying
  if ctx.lane == 0 {
    O[ctx.thread] = byteperm(a, b, 0x3210)
  }
}

@launch(64)
kernel refused(W: tensor<i32>[64], L: tensor<i64>[64], x: f32, n: i32) {
  let a = byteperm(n, n)                       //! error: `byteperm` takes 3 arguments, not 2
  let b = byteperm(n, n, x)                    //! error: `byteperm` takes scalars of type `i32`, not `f32`
  let c = byteperm(n, n, ctx.lane)             //! error: `byteperm` takes scalars of type `i32`, not `index`
  let d = byteperm(L[0], n, n)                 //! error: `byteperm` takes scalars of type `i32`, not `i64`
  let e = byteperm(W[0 :+ 4], n, n)            //! error: `byteperm` takes scalars of type `i32`
  let f = byteperm(n, n, 0x100000000)          //! error: 4294967296 does not fit in `i32`
}
