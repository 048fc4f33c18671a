// Heads and bodies of `if`, `else` and `while`.
kernel elses(O: tensor<f32>[64], n: i32) {
  if n > 3 {
    O[0] = 1.0
  }
  else {                                          //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[0] = nope7                                   //! error: there is no `nope7` here
  }
  if n > 3 {
    O[0] = 1.0
  }
  else if n > 1 {                                 //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[0] = nope13                                   //! error: there is no `nope13` here
  }
  if n > 3 {
    O[0] = 1.0
  } elif n > 2 {                                  //! error: `elif` is written `else if`   //~ fix: Write `else if`
    O[0] = nope18                                   //! error: there is no `nope18` here
  }
  if n > 3 {
    O[0] = 1.0
  } {                                             //! error: expected `else` between the two blocks   //~ fix: Insert `else`
    O[0] = nope23                                   //! error: there is no `nope23` here
  }
  if n > 3 {
    O[0] = 1.0
  } else n > 1 {                                  //! error: expected `if` before the condition   //~ fix: Insert `if`
    O[0] = nope28                                   //! error: there is no `nope28` here
  }
}

kernel bodies(O: tensor<f32>[64], n: i32) {
  if n > 3                                        //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
    O[0] = nope34                                   //! error: there is no `nope34` here
  if n > 3 O[1] = nope35                            //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`   //! error: there is no `nope35` here
  if n > 3
  {                                               //! error: expected the `{` on the line before   //~ fix: Join the lines
    O[2] = nope38                                   //! error: there is no `nope38` here
  }
  if n > 3 then {                                 //! error: expected `{` to begin the branch, not `then`   //~ fix: Remove `then`
    O[3] = nope41                                   //! error: there is no `nope41` here
  }
  while n > 3:                                    //! error: a body is written in `{ }`   //~ fix: Put the body in `{ }`
    O[4] = nope44                                   //! error: there is no `nope44` here
    break
  O[5] = nope46                                     //! error: there is no `nope46` here
}

kernel conditions(O: tensor<f32>[64], n: i32) {
  if n = 3 {                                      //! error: `=` assigns: two values are compared with `==`   //~ fix: Write `==`
    O[0] = nope51                                   //! error: there is no `nope51` here
  }
  if {                                            //! error: expected a condition
    O[1] = nope54                                   //! error: there is no `nope54` here
  }
  while {                                         //! error: expected a condition
    O[2] = nope57                                   //! error: there is no `nope57` here
  }
  if n 3 {                                        //! error: expected `{` to begin the branch, not `3`
    O[3] = nope60                                   //! error: there is no `nope60` here
  }
}

kernel blocks(O: tensor<f32>[64], n: i32) {
  { O[0] = nope65 }                                 //! error: unexpected `{`: a block stands only behind `if`, `else`, `while` or `for`   //! error: there is no `nope65` here
  loop {                                          //! error: there is no `loop`: a loop without a range is `while true`
    O[1] = nope67                                   //! error: there is no `nope67` here
    break
  }
  switch n {                                      //! error: there is no `switch`: write `if`
  }
  n > 3 {                                         //! error: expected `if` or `while` before the condition   //~ fix: Insert `if`
    O[2] = nope73                                   //! error: there is no `nope73` here
  }
  else {                                          //! error: `else` stands on the line of the `}` that it follows   //~ fix: Join the lines
    O[3] = nope76                                   //! error: there is no `nope76` here
  }
  O[4] = nope78                                     //! error: there is no `nope78` here
}

kernel without_opening_brace(O: tensor<f32>[64], n: i32) {
  if n > 3                                        //! error: expected `{` to begin the branch   //~ fix: Insert `{`
    O[0] = 1.0
  }
  O[1] = nope85                                     //! error: there is no `nope85` here
}

kernel cases_by_indent(A: tensor<i32>[N], n: i32) {
  match n:                                         //! error: there is no `match`: write `if`
    case 0:
      A[0] = 1
    case _:
      A[0] = 2
  A[1] = nope94                                      //! error: there is no `nope94` here
}
