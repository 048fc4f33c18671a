// What a copy, or what is made of a tile, has from an element that nothing has written, or that was divided by zero.

//# run O=zeros --grid 1 --device sim expect-error "`t[8, 0]` is read, and nothing has written it"
@launch(32)
kernel copied(O: tensor<f32>[9, 16]) {
  var t: tile<f32>[16, 16]
  t[0 :+ 8, :] = 1.0
  let c = t * 2.0
  O[0 :+ 16, :] = c
}

//# run O=zeros --grid 1 --device sim expect-error "`t[32]` is read, and nothing has written it (thread 31, block (0, 0, 0))"
@launch(32)
kernel point_of_copy(O: tensor<f32>[33]) {
  var t: tile<f32>[64]
  t[ctx.thread] = 3.0
  barrier()
  let c = t * 2.0
  O[ctx.thread + 1] = c[ctx.thread + 1]
}

//# run x=iota O=zeros N=10 --grid 1 --device sim expect-error "integer division by zero"
@launch(32)
kernel point_of_quotient(x: tensor<i32>[N], O: tensor<i32>[N]) {
  let q = 100 / x[0 :+ 16]
  if ctx.thread < N { O[ctx.thread] = q[ctx.thread] }
}

//# run x=iota O=zeros --grid 1 --device sim expect-error "integer division by zero (block (0, 0, 0), thread 0)"
@launch(32)
kernel guarded_wrongly(x: tensor<i32>[32], O: tensor<i32>[32]) {
  let d = x[ctx.thread]
  O[ctx.thread] = where(d == 0, 100 / d, 0)
}
