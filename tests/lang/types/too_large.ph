// Tiles that the simulator takes and no GPU holds: told once, where one is made.
fn cleared() -> tile<f32>[1000000] {
  let t: tile<f32>[1000000] = 0.0       // by itself a function has no threads
  return t
}

kernel held(x: tensor<f32>[131072], b: tensor<i8>[232448]) {
  x[:] = x[:] * 2.0
  var own: tile<i8>[232448]             // in shared memory
  own[ctx.thread] = 1
  barrier()
  b[0] = own[5]
}

@launch(128)
kernel not_held(x: tensor<f32>[131072], row: tensor<f32>[1, 400], column: tensor<f32>[400, 1]) {
  x[:] = x[:] * 2.0                     //! warning PH0237: this tile has 131072 elements, and a CTA of 128 threads holds at most 65536
  var t: tile<f32>[65537] = 0.0         //! warning PH0237: this tile has 65537 elements
  t = t * 2.0
  x[0 :+ 64] = t[0 :+ 64]
  let wide = row[:] * column[:]         //! warning PH0237: this tile has 160000 elements
  x[0] = wide[1, 1]
}

kernel by_call(x: tensor<f32>[64]) {
  let t = cleared()                     //! warning PH0237: this tile has 1000000 elements
  x[0] = t[0]
}

kernel by_accesses(b: tensor<i8>[1]) {
  var own: tile<i8>[232449]             //! warning PH0237: holds at most 232448
  own[ctx.thread] = 1
  barrier()
  b[0] = own[5]
}
