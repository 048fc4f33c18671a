// A list with a mistake in it is not counted.

fn both(a: f32, b: f32) -> f32 {
  return a + b
}

kernel arguments(O: tensor<f32>[M, N], I: tensor<i32>[N], f: f32, n: i32) {
  O[0, 0] = tmax(f f, f)                            //! error: expected `,` between two arguments
  O[0, 1] = tmax(f, , f)                            //! error: expected a value behind `,`
  O[0, 2] = tmax(f; f)                              //! error: expected `,` between two arguments, not `;`   //~ fix: Write `,`
  O[0, 3] = both(f f, f)                            //! error: expected `,` between two arguments
  O[0, 4] = tmax(, f)                               //! error: expected a value
  O[0, , 5] = f                                     //! error: expected a subscript   //~ fix: Remove `,`
  O[n n :+ 4, 0] = f                                //! error: expected `,` between two subscripts
  O[n 4, 0] = f                                     //! error: expected `,` between two subscripts
  O[0, 6] = f,                                      //! error: unexpected `,`   //~ fix: Remove `,`
  for i in range(0, 4,) { I[i] = n }                //! error: expected a value behind `,`   //~ fix: Remove `,`
  for i in range 0, 4 { I[i] = n }                  //! error: expected `(` to begin the range   //~ fix: Write `(…)`
  for i in range(0, 4) step 2 { I[i] = n }          //! error: a range's step is its third bound: `range(a, b, s)`   //~ fix: Write the step as a bound
  for i in 0..4 step 2 { I[i] = n }                 //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, 4, 2)`
  let t = O[0::2, 0]                                //! error: a slice has a start and an end, and no step
  O[0, 7] = both(f)                                 //! error PH0210: `both` takes 2 arguments, not 1
}

kernel factors(I: tensor<i32>[N], n: i32) {
  for<unroll n> i in range(0, 4) { I[i] = n }       //! error: expected a whole number from 1 to 1024 as the factor, not `n`
  for<unroll 2.0> i in range(0, 4) { I[i] = n }     //! error: as the factor, not `2.0`
  for<unroll -1> i in range(0, 4) { I[i] = n }      //! error: as the factor, not `-1`
  for unroll 4> i in range(0, 4) { I[i] = n }       //! error: expected `<` before `unroll`   //~ fix: Insert `<`
}

kernel names_once(O: tensor<f32>[N], total: f32) {
  O[0] = totl                                       //! error PH0101: there is no `totl` here; did you mean `total`?   //~ fix: Change to `total`
  O[1] = totl * 2.0                                 //~ related: and here
  O[2] = nowhere                                    //! error PH0101: there is no `nowhere` here
  O[3] = nowhere
}

kernel brace_before_else(O: tensor<f32>[N], n: i32) {
  if n > 1 {                                        //~ related: opened here
    O[0] = 1.0                                      //! error: expected `}` to close the block opened here   //~ fix: Insert `}`
  else {
    O[0] = 2.0
  }
}

kernel brace_behind_if(O: tensor<f32>[N], n: i32) {
  if n > 3 O[1] = 1.0 }                             //! error: expected `{` to begin the branch   //~ fix: Insert `{`
}

kernel signs(O: tensor<f32>[N], flag: tensor<bool>[N], f: f32, n: i32) {
  O[0] &&= 1.0                                      //! error: there is no `&&=`   //~ no fix
  flag[0] ||= f > 1.0                               //! error: there is no `||=`   //~ fix: Write `= flag[0] ||`
  O[1] += true                                      //! error PH0202: `f32` does not go with `bool` in `+`   //~ related: this is an `f32`
  O[2] <<= 1                                        //! error PH0223: `<<` does not take `f32`   //~ no fix
  O[3] = f ** 2.0 ** 3.0                            //! error: a power is written `pow(a, b)`   //~ fix: Write `pow(…)`
  O[4] = 2.0 * f ** 2.0                             //! error: a power is written `pow(a, b)`   //~ fix: Write `pow(…)`
  let x-y = 3                                       //! error: unexpected `-`: a name has letters, digits and `_`   //~ fix: Write `x_y`
  var k = n
  k--                                               //! error: there is no `--`   //~ fix: Write `-= 1`
  --k                                               //! error: there is no `--`   //~ fix: Write `k -= 1`
  O[5] = f32(k)
}
