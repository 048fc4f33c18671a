// Statements that C writes with signs of its own: what is meant is an assignment.
@launch(64)
kernel steps(y: tensor<i32>[64], x: tensor<f32>[64], p: bool) {
  let i = ctx.thread
  var n = 3
  y[i] = 3
  ++y[i]                                           //! error: there is no `++`: write `y[i] += 1`   //~ fix: Write `y[i] += 1`
  y[i] = 3
  --y[i + 1]                                       //! error: there is no `--`: write `y[i + 1] -= 1`   //~ fix: Write `y[i + 1] -= 1`
  --n                                              //! error: there is no `--`: write `n -= 1`   //~ fix: Write `n -= 1`
  if p { ++y[0] }                                  //! error: there is no `++`: write `y[0] += 1`   //~ fix: Write `y[0] += 1`
  x[0] => 1.0                                      //! error: `=>` is written `=`   //~ fix: Write `=`
  x[1] === 1.0                                     //! error: `===` is written `=`   //~ fix: Write `=`
  n => 4                                           //! error: `=>` is written `=`   //~ fix: Write `=`
  n === 5                                          //! error: `===` is written `=`   //~ fix: Write `=`
  if n => 3 { y[1] = 3 }                           //! error: `=>` is written `>=`   //~ fix: Write `>=`
}
