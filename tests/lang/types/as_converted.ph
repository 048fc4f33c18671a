// A declaration that lacks its conversion declares its name: what is wrong with the uses of it is told beside, and the repair holds.

@launch(64)
kernel declared(y: tensor<f32>[64], n: i32) {
  var i: i32 = ctx.thread                  //! error PH0204: write `i32(ctx.thread)`   //~ fix: Convert to `i32`   //? i: varying
  if i < n { barrier() }                   //! error PH0301: every thread must reach it
  y[i] = 0.0
}

@launch(64)
kernel assigned(y: tensor<f32>[64], n: i32) {
  var i: i32 = 0
  i = ctx.thread                           //! error PH0204: write `i32(ctx.thread)`   //~ fix: Convert to `i32`
  if i < n { barrier() }                   //! error PH0301: every thread must reach it
  let v: i32 = y[ctx.thread]               //! error PH0204: write `i32(y[ctx.thread])`   //~ fix: Convert to `i32`
  if v < n { barrier() }                   //! error PH0301: every thread must reach it
}
