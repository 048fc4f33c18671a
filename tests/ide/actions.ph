fn half(v: f32) -> f32 {
  return v * 0.5
       //^^^^^^^ action Extract to `let`: let value = v * 0.5\n  return value\n
}

kernel work(x: tensor<f32>[N], out: tensor<f32>[N]) {
   //^ action Add `@launch(256)`: }\n\n@launch(256)\nkernel work(
  let base = ctx.block.x * 128
    //^ action Inline `base`: if (ctx.block.x * 128) + 1 < N {
  let again = out[0]
    //^ noaction Inline `again`
  let size = 128
    //^ noaction Inline `size`
  var count = 0
  if base + 1 < N {
   //^^^^^^^^ action Extract to `let`:   let value = base + 1\n  if value < N {
    count += size
  }
  while count < 4 && x[count] > again {
      //^^^^^^^^^ noaction Extract to `let`
    count += 1
  }
  out[base :+ 128] = x[base :+ 128] * half(1.0)
                   //^^^^^^^^^^^^^^ action Extract to `let`:   let value = x[base :+ 128]\n  out[base :+ 128] = value * half(1.0)
                                    //^^^^ noaction Extract to `let`
                   //^ noaction Extract to `let`
  let p = program_id(0)
        //^ action Change to `ctx.block.x`: let p = ctx.block.x
  let q = p + program_id(1)
            //^ action Change to `ctx.block.y`: p + ctx.block.y
  out[q] = sum(x[ctx.lane :+ 4])
             //^^^^^^^^^^^^^^^^ noaction Extract to `let`
  let unused = 1
     // ^ action Rename to `_unused`: let _unused = 1
     // ^ action Delete it:   out[q] = sum(x[ctx.lane :+ 4])\n             //
}

// A number takes the type of its place: a `let` of it would be f32 here, or an index.
@launch(32)
kernel numbers(x: tensor<f64>[N], y: tensor<f16>[N]) {
  x[0] = x[1] + 1.0 / 3.0
              //^^^^^^^^^ noaction Extract to `let`
  x[2] = exp(0.1 + 0.2)
       //^^^^^^^^^^^^^^ noaction Extract to `let`
           //^^^^^^^^^ noaction Extract to `let`
  y[0] = y[1] * (1.0 + 2.0)
              //^^^^^^^^^^^ noaction Extract to `let`
  x[3] = exp(x[4] + 0.2)
           //^^^^^^^^^^ action Extract to `let`:   let value = x[4] + 0.2\n  x[3] = exp(value)
  let small = exp(0.5)
    //^ noaction Inline `small`
  x[5] = f64(small)
}
