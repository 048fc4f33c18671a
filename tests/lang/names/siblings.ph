// Names that tell things of a kind apart are not meant for each other, and what is assigned and declared nowhere is declared.

kernel rows(x: tensor<f32>[N], y: tensor<f32>[N]) {
  var row0 = 1
  row1 = 2                                 //! error PH0101: a name is declared with `let` or `var`   //~ fix: Declare it with `var`
  x[row0] = y[row1]
  let pid_m = ctx.block.x
  pid_n = ctx.block.y                      //! error PH0101: a name is declared with `let` or `var`   //~ fix: Declare it with `var`
  x[pid_m] = y[pid_n] + y[pid_k]           //! error PH0101: there is no `pid_k` here   //~ no fix
  row0 = 3
}

kernel slip(y: tensor<f32>[N]) {
  var result = 1.0
  reslut = 2.0                             //! error PH0101: did you mean `result`?   //~ fix: Change to `result`   //~ fix: Declare it with `var`
  y[0] = result
}
