// Heads and bodies of `if`, `else` and `while`.
kernel elses(O: tensor<f32>[64], n: i32) {
  if n > 3 {
    O[0] = 1.0
  }
  else {                                          //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[0] = nope                                   //! error: there is no `nope` here
  }
  if n > 3 {
    O[0] = 1.0
  }
  else if n > 1 {                                 //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[0] = nope                                   //! error: there is no `nope` here
  }
  if n > 3 {
    O[0] = 1.0
  } elif n > 2 {                                  //! error: `elif` is written `else if`   //~ fix: Write `else if`
    O[0] = nope                                   //! error: there is no `nope` here
  }
  if n > 3 {
    O[0] = 1.0
  } {                                             //! error: expected `else` between the two blocks   //~ fix: Insert `else`
    O[0] = nope                                   //! error: there is no `nope` here
  }
  if n > 3 {
    O[0] = 1.0
  } else n > 1 {                                  //! error: expected `if` before the condition   //~ fix: Insert `if`
    O[0] = nope                                   //! error: there is no `nope` here
  }
}

kernel bodies(O: tensor<f32>[64], n: i32) {
  if n > 3                                        //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
    O[0] = nope                                   //! error: there is no `nope` here
  if n > 3 O[1] = nope                            //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`   //! error: there is no `nope` here
  if n > 3
  {                                               //! error: expected the `{` on the line before   //~ fix: Join the lines
    O[2] = nope                                   //! error: there is no `nope` here
  }
  if n > 3 then {                                 //! error: expected `{` to begin the branch, not `then`   //~ fix: Remove `then`
    O[3] = nope                                   //! error: there is no `nope` here
  }
  while n > 3:                                    //! error: a body is written in `{ }`   //~ fix: Put the body in `{ }`
    O[4] = nope                                   //! error: there is no `nope` here
    break
  O[5] = nope                                     //! error: there is no `nope` here
}

kernel conditions(O: tensor<f32>[64], n: i32) {
  if n = 3 {                                      //! error: `=` assigns: two values are compared with `==`   //~ fix: Write `==`
    O[0] = nope                                   //! error: there is no `nope` here
  }
  if {                                            //! error: expected a condition
    O[1] = nope                                   //! error: there is no `nope` here
  }
  while {                                         //! error: expected a condition
    O[2] = nope                                   //! error: there is no `nope` here
  }
  if n 3 {                                        //! error: expected `{` to begin the branch, not `3`
    O[3] = nope                                   //! error: there is no `nope` here
  }
}

kernel blocks(O: tensor<f32>[64], n: i32) {
  { O[0] = nope }                                 //! error: unexpected `{`: a block stands only behind `if`, `else`, `while` or `for`   //! error: there is no `nope` here
  loop {                                          //! error: there is no `loop`: a loop without a range is `while true`
    O[1] = nope                                   //! error: there is no `nope` here
    break
  }
  switch n {                                      //! error: there is no `switch`: write `if`
  }
  n > 3 {                                         //! error: expected `if` or `while` before the condition   //~ fix: Insert `if`
    O[2] = nope                                   //! error: there is no `nope` here
  }
  else {                                          //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[3] = nope                                   //! error: there is no `nope` here
  }
  O[4] = nope                                     //! error: there is no `nope` here
}

kernel without_opening_brace(O: tensor<f32>[64], n: i32) {
  if n > 3                                        //! error: expected `{` to begin the branch   //~ fix: Insert `{`
    O[0] = 1.0
  }
  O[1] = nope                                     //! error: there is no `nope` here
}

kernel cases_by_indent(A: tensor<i32>[N], n: i32) {
  match n:                                         //! error: there is no `match`: write `if`
    case 0:
      A[0] = 1
    case _:
      A[0] = 2
  A[1] = nope                                      //! error: there is no `nope` here
}
