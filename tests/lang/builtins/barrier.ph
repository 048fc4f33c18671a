// `barrier`: every thread of the CTA waits.
@launch(64)
kernel accepted(X: tensor<f32>[8, 8], O: tensor<f32>[8, 8], n: i32) {
  barrier()
  if n > 3 {
    barrier()
  }
  for i in range(0, n) {
    barrier()
  }
  O[0, 0] = X[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[8, 8], O: tensor<f32>[8, 8], n: i32) {
  barrier(n)                                   //! error: `barrier` takes 0 arguments, not 1
  let a = barrier()                            //! error: `barrier()` gives no value
  barrier<over ctx.lane>()                     //! error: `barrier` takes no `<…>`
  if ctx.warp == 1 {
    barrier()                                  //! error: `barrier()` runs once per CTA
  }
  while X[ctx.lane, 0] > 1.0 {
    barrier()                                  //! error: `barrier()` runs once per CTA
  }
}
