// Both sides of a copy at a varying place are told of, in one error; a condition that picks the thread of a CTA is not needed.

@launch(128)
kernel copies(A: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, ctx.thread :+ 4] = A[0, ctx.thread :+ 4]    //! error PH0302: takes `ctx.thread`   //~ related: takes it too
}

@launch(128)
kernel counts(n: tensor<i32>[4]) {
  if ctx.thread == 0 { atomic_add(n, 0, 1) }       //! error PH0301: runs once per CTA   //~ fix: Remove the `if`
  if ctx.thread == 0 {
    store_release(n, 1, 1)                         //! error PH0301: runs once per CTA   //~ fix: Remove the `if`
  }
  if ctx.lane == 0 {
    atomic_add(n, 2, 1)                            //! error PH0301: runs once per CTA   //~ no fix
  }
}
