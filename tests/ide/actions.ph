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
