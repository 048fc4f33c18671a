// Brackets that nothing closes or opens. What stands behind the mistake is still analysed.
kernel unclosed(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  let a = A[0                                     //! error: expected `]` to close the subscript opened here   //~ fix: Insert `]`   //~ related: opened here
  O[0] = nope4                                     //! error: there is no `nope4` here
  let b = (A[0] + 1.0                             //! error: expected `)` to close the parenthesis opened here   //~ fix: Insert `)`   //~ related: opened here
  O[1] = sqrt(A[0]                                //! error: expected `)` to close the arguments opened here   //~ fix: Insert `)`   //~ related: opened here
  O[2] = sqrt(abs(A[0]                            //! error: expected `)` to close the arguments opened here   //~ fix: Insert `))`   //~ related: opened here
  let c = sqrt(A[0],                              //! error: expected `)` to close the arguments opened here   //~ fix: Insert `)`   //~ related: opened here
  if (n > 3 {                                     //! error: expected `)` to close the parenthesis opened here   //~ fix: Insert `)`   //~ related: opened here
    O[3] = nope10                                   //! error: there is no `nope10` here
  }
}

kernel wrong_closer(A: tensor<f32>[64], O: tensor<f32>[64]) {
  O[0] = A[0)                                     //! error: expected `]` to close the subscript opened here   //~ fix: Write `]`   //~ related: opened here
  O[1] = sqrt(A[0]]                               //! error: expected `)` to close the arguments opened here   //~ fix: Write `)`   //~ related: opened here
  O[2] = nope17                                     //! error: there is no `nope17` here
}

kernel unopened(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  O 0] = 1.0                                      //! error: unexpected `]`: no `[` opens it   //~ fix: Insert `[`
  let a = A 3]                                    //! error: unexpected `]`: no `[` opens it   //~ fix: Insert `[`
  let b = sqrt A[0])                              //! error: unexpected `)`: no `(` opens it   //~ fix: Insert `(`
  if n > 3) {                                     //! error: unexpected `)`: no `(` opens it   //~ fix: Remove `)`
    O[1] = nope25                                   //! error: there is no `nope25` here
  }
}

kernel inside(A: tensor<f32>[64], T: tensor<f32>[8, 64], O: tensor<f32>[64]) {
  O[0] = pow(A[0] A[1])                           //! error: expected `,` between two arguments   //~ fix: Insert `,`
  O[1] = T[0 1]                                   //! error: expected `,` between two subscripts   //~ fix: Insert `,`
  O[2] = A[0, ]                                   //! error: expected a subscript behind `,`   //~ fix: Remove `,`
  O[3] = A[]                                      //! error: expected a subscript
  O[4] = pow(, 1.0)                               //! error: expected a value
  O[5] = (1.0, 2.0)                               //! error: a parenthesis holds one value
  O[6] = ()                                       //! error: expected a value
  O[7] = (1.0 2.0)                                //! error: expected an operator or `)` before `2.0`
  O[8] = nope38                                     //! error: there is no `nope38` here
}

kernel block_by_indentation(A: tensor<f32>[64], n: i32) {
  if n > 3 {
    A[0] = 1.0                                    //! error: expected `}` to close the block opened here   //~ fix: Insert `}`
  let b = 2.0
  A[1] = b + nope45                                 //! error: there is no `nope45` here
}

kernel block_at_the_end(A: tensor<f32>[64]) {
  A[0] = nope49                                     //! error: there is no `nope49` here   //! error: expected `}` to close the block opened here   //~ fix: Insert `}`

kernel stray_brace(A: tensor<f32>[64]) {
  A[0] = 1.0
  }                                               //! error: unexpected `}`: the statements behind it stand outside of the body   //~ fix: Remove `}`
  A[1] = nope54                                     //! error: there is no `nope54` here
}
