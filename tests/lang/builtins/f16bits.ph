// `f16bits`: the f16 whose bits are the low 16 of an i32; each thread on its own.
@launch(64)
kernel accepted(W: tensor<i32>[64], H: tensor<f16>[64], n: i32) {
  let a: f16 = f16bits(n)                      //? a: uniform
  let b: f16 = f16bits(W[ctx.thread] >> 16)    //? b: varying
  let c: f16 = f16bits(0x3c00)                 //? c: uniform
  if ctx.lane == 0 {
    H[ctx.thread] = f16bits(n + 1) + a + b + c
  }
}

@launch(64)
kernel refused(W: tensor<i32>[64], L: tensor<i64>[64], x: f32) {
  let a = f16bits()                            //! error: `f16bits` takes 1 argument, not 0
  let b = f16bits(x)                           //! error: `f16bits` takes scalars of type `i32`, not `f32`
  let c = f16bits(L[0])                        //! error: `f16bits` takes scalars of type `i32`, not `i64`
  let d = f16bits(W[0 :+ 4])                   //! error: `f16bits` takes scalars of type `i32`
}
