// `print`: tells values, under any control; nothing depends on it, and it depends on no barrier.
fn half(x: f32) -> f32 {
  print(x)
  return 0.5 * x
}

@launch(64)
kernel accepted(A: tensor<f32>[64, 64], B: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  print()
  print(n, 3, 1.5, true, ctx.block.x)
  let v = A[0, ctx.lane]                       //? v: varying
  var t: tile<f32>[8, 64] = A[0 :+ 8, :]
  if ctx.lane < 4 {
    print(v, B[ctx.lane], half(v))
    print(A[ctx.warp, 4 * ctx.lane :+ 4])      // a thread's own run: its start may differ
    print(elem(t, 4 * ctx.lane :+ 4))
    print(t)                                   // a whole tile, where not every thread comes
    print(flat(t))
  }
  t[0, ctx.lane] = v
  print(t)                                     // no barrier is needed between
  barrier()
  print(t * 2.0, rowsum(t))
  var count = 0                                //? count: uniform
  while count < n {
    if ctx.thread == 3 { print(count) }
    count += 1
  }
  O[ctx.thread] = v + f32(count)
}

@launch(64)
kernel refused(A: tensor<f32>[64, 64], O: tensor<f32>[64]) {
  let a = print(O[0])                          //! error: `print(O[0])` gives no value
  print(A)                                     //! error: `A` is a tensor in global memory
  print(1, 2, 3, 4, 5, 6, 7, 8, 9)             //! error: `print` takes 0 to 8 arguments, not 9
  print<over ctx.lane>(a)                      //! error: `print` takes no `<…>`
  print(A[ctx.lane :+ 16, 0 :+ 16])            //! error: which differs between lanes
  if ctx.lane == 0 {
    print(A[0 :+ 16, 0 :+ 16])                 //! error: every thread must reach it
  }
}
