// One mistake within brackets, an operation or a head is one error.
kernel closed(x: tensor<f32>[64]) {
  let c = x[(1 + 2]                   //! error: expected `)` to close the parenthesis opened here   //~ fix: Insert `)`
  x[3] = c
}
kernel headed(x = tensor<f32>[64]) {  //! error: expected `:` and the parameter's type, not `=`   //~ fix: Write `:`
  x[0] = 1.0
}
kernel compared(x: tensor<f32>[64], p: bool, n: i32) {
  if p && n = 3 { x[0] = 1.0 }        //! error: `=` assigns: two values are compared with `==`   //~ fix: Write `==`
  if n = 3 && p { x[1] = 1.0 }        //! error: `=` assigns: two values are compared with `==`   //~ fix: Write `==`
  if p || p && n = 3 { x[2] = 1.0 }   //! error: `=` assigns: two values are compared with `==`   //~ fix: Write `==`
}
