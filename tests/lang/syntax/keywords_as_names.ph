// A keyword that stands where only a name can is one mistake, wherever it stands, and read as the name.

kernel parameters(in: tensor<f32>[N], out: tensor<f32>[N], fn: f32) {   //! error: expected a name, not the keyword `in`   //~ fix: Write `in_`   //! error: a name, not the keyword `fn`   //~ fix: Write `fn_`
  for i in range(0, N) { out[i] = in[i] * fn }
  in[0] = fn
  out[1] = nope                                    //! error: there is no `nope` here
}

kernel declared(O: tensor<f32>[N]) {
  let kernel = 3.0                                 //! error: expected a name, not the keyword `kernel`   //~ fix: Write `kernel_`
  let fn: f32 = kernel                             //! error: expected a name, not the keyword `fn`   //~ fix: Write `fn_`
  let x = 2.0 * fn
  O[0] = x + kernel
  O[1] = nope                                      //! error: there is no `nope` here
}

kernel counted(O: tensor<f32>[N]) {
  for in in range(0, N) { O[in] = 1.0 }            //! error: expected a name, not the keyword `in`   //~ fix: Write `in_`
  for kernel in range(0, N) {                      //! error: expected a name, not the keyword `kernel`   //~ fix: Write `kernel_`
    O[kernel] = 1.0
  }
}

kernel several(
  kernel: tensor<f32>[N],                          //! error: expected a name, not the keyword `kernel`   //~ fix: Write `kernel_`
  x: f32
) {
  kernel[0] = x
}

kernel untouched(O: tensor<f32>[N]) {
  O[0] = 1.0
}
