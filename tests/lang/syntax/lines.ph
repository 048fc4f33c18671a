// Lines that begin with what belongs at the end of the line before.
kernel operators(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let a = x
      + 1.0                                        //! error: the line before ends its statement: to go on, it ends in `+`   //~ fix: Move `+` to the line before
    O[0] = a
  }
  if n > 5 {
    let a = x
      * 2.0                                        //! error: the line before ends its statement: to go on, it ends in `*`   //~ fix: Move `*` to the line before
    O[0] = a
  }
  if n > 5 {
    let a = x
      / 2.0                                        //! error: the line before ends its statement: to go on, it ends in `/`   //~ fix: Move `/` to the line before
    O[0] = a
  }
  if n > 5 {
    let a = x > 1.0
      && x < 3.0                                   //! error: the line before ends its statement: to go on, it ends in `&&`   //~ fix: Move `&&` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    let a = x > 1.0
      || x < 3.0                                   //! error: the line before ends its statement: to go on, it ends in `||`   //~ fix: Move `||` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    let a = n
      == 3                                         //! error: the line before ends its statement: to go on, it ends in `==`   //~ fix: Move `==` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    O[0] = x
      + 1.0                                        //! error: the line before ends its statement: to go on, it ends in `+`   //~ fix: Move the operators to the lines before
      + 2.0
  }
  if n > 5 {
    O[0] = x   // first
      + 1.0                                        //! error: the line before ends its statement: to go on, it ends in `+`   //~ fix: Move `+` to the line before
  }
  if n > 5 {
    let a = n
      < 3                                          //! error: the line before ends its statement: to go on, it ends in `<`   //~ fix: Move `<` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    let a = n
      % 3                                          //! error: the line before ends its statement: to go on, it ends in `%`   //~ fix: Move `%` to the line before
    O[0] = f32(a)
  }
  if n > 5 {
    let a = n
      | 3                                          //! error: the line before ends its statement: to go on, it ends in `|`   //~ fix: Move `|` to the line before
    O[0] = f32(a)
  }
  if n > 5 {
    let a = n
      & 3                                          //! error: the line before ends its statement: to go on, it ends in `&`   //~ fix: Move `&` to the line before
    O[0] = f32(a)
  }
  if n > 5 {
    let a = n
      << 3                                         //! error: the line before ends its statement: to go on, it ends in `<<`   //~ fix: Move `<<` to the line before
    O[0] = f32(a)
  }
  if n > 5 {
    let a = n
      != 3                                         //! error: the line before ends its statement: to go on, it ends in `!=`   //~ fix: Move `!=` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    let a = n > 3
      and m > 4                                    //! error: the line before ends its statement: to go on, it ends in `&&`   //~ fix: Move `&&` to the line before
    if a { O[0] = 1.0 }
  }
  if n > 5 {
    let t = A[0 :+ 64]
      * 2.0                                        //! error: the line before ends its statement: to go on, it ends in `*`   //~ fix: Move `*` to the line before
    O[:] = t
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel heads(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if n == 3
      && m == 4 {                                  //! error: the line before ends its statement: to go on, it ends in `&&`   //~ fix: Move `&&` to the line before
      O[0] = 1.0
    }
  }
  if n > 5 {
    while n < 3
      || m < 4 {                                   //! error: the line before ends its statement: to go on, it ends in `||`   //~ fix: Move `||` to the line before
      O[0] = 1.0
    }
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel assignments(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let a
      = 3.0                                        //! error: the line before ends its statement: to go on, it ends in `=`   //~ fix: Move `=` to the line before
    O[0] = a
  }
  if n > 5 {
    O[0]
      = 3.0                                        //! error: the line before ends its statement: to go on, it ends in `=`   //~ fix: Move `=` to the line before
  }
  if n > 5 {
    O[0]
      += 3.0                                       //! error: the line before ends its statement: to go on, it ends in `+=`   //~ fix: Move `+=` to the line before
  }
  if n > 5 {
    let a = ctx
      .lane                                        //! error: the line before ends its statement: to go on, it ends in `.`   //~ fix: Join the lines
    O[0] = f32(a)
  }
  if n > 5 {
    let a = A
      [0]                                          //! error: the line before ends its statement: to go on, it ends in `[`   //~ fix: Join the lines
    O[0] = a
  }
  if n > 5 {
    O
    [0] = 1.0                                      //! error: the line before ends its statement: to go on, it ends in `[`   //~ fix: Join the lines
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel conditional(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let y = n > 3 ? 1.0                            //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
      : 2.0
    O[0] = y
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel minus(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let a = x
      - 1.0                                        //! warning: the line before ends its statement, so that `-` begins another one, whose value is not used   //~ fix: Move `-` to the line before
    O[0] = a
  }
  if n > 5 {
    O[0] = x
    - A[1]                                         //! warning: the line before ends its statement, so that `-` begins another one, whose value is not used   //~ fix: Move `-` to the line before
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel going_on(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    O[0] = (x
      - 1.0)
  }
  if n > 5 {
    let a = x -
      1.0
    O[0] = a
  }
  if n > 5 {
    O[0] = sqrt(
      x
      + 1.0
    )
  }
  O[0] = nope                                      //! error: there is no `nope` here
}
