// Loops, branches and keywords as other languages write them.
kernel counting(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    for (int i = 0; i < n; i++) { O[i] = 1.0 }     //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for (int i = 0; i <= n; i += m * 2) { O[i] = 1.0 }   //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for (int i = 0; i != n; ++i) { O[i] = 1.0 }    //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for (int i = 0; i < n; i = i + 1) { O[i] = 1.0 }   //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for i = 0; i < n; i++ { O[i] = 1.0 }           //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for i := 0; i < n; i++ { O[i] = 1.0 }          //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for (int i = n; i > 0; i--) { O[i] = 1.0 }     //! error: a loop runs over a range: `for i in range(start, end)`
  }
  if n > 5 {
    for (;;) { break }                             //! error: a loop without a range is `while true`   //~ fix: Write `while true`
  }
  if n > 5 {
    for i = 0, n { O[i] = 1.0 }                    //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  if n > 5 {
    for i = 0 to n { O[i] = 1.0 }                  //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel ranges(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    for i in (0..n) { O[i] = 1.0 }                 //! error: expected `range` before the bounds   //~ fix: Insert `range`
  }
  if n > 5 {
    for i in 0 to n { O[i] = 1.0 }                 //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n)`
  }
  if n > 5 {
    for i in range(0..n) { O[i] = 1.0 }            //! error: expected `,` between two bounds, not `..`   //~ fix: Write `,`
  }
  if n > 5 {
    for i in range(0 : n) { O[i] = 1.0 }           //! error: expected `,` between two bounds, not `:`   //~ fix: Write `,`
  }
  if n > 5 {
    for i in range(0; n) { O[i] = 1.0 }            //! error: expected `,` between two bounds, not `;`   //~ fix: Write `,`
  }
  if n > 5 {
    for i in range[0, n] { O[i] = 1.0 }            //! error: expected `(` to begin the range, not `[`   //~ fix: Write `(…)`
  }
  if n > 5 {
    for i in range(0, n, step=2) { O[i] = 1.0 }    //! error: bounds are given by place, not by name   //~ fix: Remove the name
  }
  if n > 5 {
    for i in range(0, n).step_by(2) { O[i] = 1.0 }   //! error: a range's step is its third bound: `range(a, b, s)`   //~ fix: Write the step as a bound
  }
  if n > 5 {
    for i in ragne(0, n) { O[i] = 1.0 }            //! error: expected `range(start, end)` behind `in`, not `ragne`   //~ fix: Write `range`
  }
  if n > 5 {
    for i of range(0, n) { O[i] = 1.0 }            //! error: expected `in`, not `of`   //~ fix: Write `in`
  }
  if n > 5 {
    for let i in range(0, n) { O[i] = 1.0 }        //! error: unexpected keyword `let`: a loop's head names its variable alone   //~ fix: Remove `let`
  }
  if n > 5 {
    for i: i32 in range(0, n) { O[i] = 1.0 }       //! error: unexpected `:`: a loop's variable is an `index` and declares no type   //~ fix: Remove it
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel unrolling(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    for unroll i in range(0, 4) { O[i] = 1.0 }     //! error: expected `unroll` in `<…>`, as in `for<unroll>`   //~ fix: Write `<unroll>`
  }
  if n > 5 {
    for<4> i in range(0, 8) { O[i] = 1.0 }         //! error: expected `unroll`, not `4`   //~ fix: Insert `unroll`
  }
  if n > 5 {
    for i<unroll> in range(0, 4) { O[i] = 1.0 }    //! error: unexpected `<`: `<unroll>` stands behind `for`   //~ fix: Move it behind `for`
  }
  if n > 5 {
    @unroll                                        //! error: a loop is unrolled with `for<unroll>`   //~ fix: Write `for<unroll>`
    for i in range(0, 4) { O[i] = 1.0 }
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel bodies(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if n > 3:                                      //! error: a body is written in `{ }`   //~ fix: Put the body in `{ }`
      O[0] = 1.0
    elif n > 2:
      O[0] = 2.0
    else:
      O[0] = 3.0
  }
  if n > 5 {
    if (n > 3)                                     //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
      O[0] = 1.0
    else if (n > 2)
      O[0] = 2.0
    else
      O[0] = 3.0
  }
  if n > 5 {
    if (n > 3)                                     //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
      O[0] = 1.0;
    else
      O[0] = 3.0;
  }
  if n > 5 {
    if (n > 3) O[0] = 1.0                          //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
    else O[0] = 3.0
  }
  if n > 5 {
    if (n > 3) O[0] = 1.0; else O[0] = 3.0         //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
  }
  if n > 5 {
    if n > 3 { O[0] = 1.0 } else O[0] = 2.0        //! error: expected `{` or `if` behind `else`   //~ fix: Put the body in `{ }`
  }
  if n > 5 {
    if (n > 3)                                     //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
      if (n > 4)                                   //! error: expected `{` to begin the branch   //~ fix: Put the body in `{ }`
        O[0] = 1.0
      else
        O[0] = 2.0
    else
      O[0] = 3.0
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel loops(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    var i = 0
    do {                                           //! error: there is no `do`: a loop that tests at its end is `while true` with `if !(c) { break }` at its end   //~ fix: Write `while true`
      O[i] = 1.0
      i += 1
    } while (i < 3)
  }
  if n > 5 {
    var i = 0
    do { i += 1 } while (i < n);                   //! error: there is no `do`: a loop that tests at its end is `while true` with `if !(c) { break }` at its end   //~ fix: Write `while true`
    O[i] = 1.0
  }
  if n > 5 {
    loop { break }                                 //! error: there is no `loop`: a loop without a range is `while true`   //~ fix: Write `while true`
  }
  if n > 5 {
    unless n > 3 { O[0] = 1.0 }                    //! error: there is no `unless`: write `if !(…)`   //~ fix: Write `if !(…)`
  }
  if n > 5 {
    until n > 3 { O[0] = 1.0 }                     //! error: there is no `until`: write `while !(…)`   //~ fix: Write `while !(…)`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel keywords(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    fi n > 3 { O[0] = 1.0 }                        //! error: expected `if`, not `fi`   //~ fix: Write `if`
  }
  if n > 5 {
    iff n > 3 {                                    //! error: expected `if`, not `iff`   //~ fix: Write `if`
      O[0] = 1.0
    } else {
      O[0] = 2.0
    }
  }
  if n > 5 {
    whil n > 3 { O[0] = 1.0 }                      //! error: expected `while`, not `whil`   //~ fix: Write `while`
  }
  if n > 5 {
    fot i in range(0, n) { O[i] = 1.0 }            //! error: expected `for`, not `fot`   //~ fix: Write `for`
  }
  if n > 5 {
    foreach i in range(0, n) { O[i] = 1.0 }        //! error: expected `for`, not `foreach`   //~ fix: Write `for`
  }
  if n > 5 {
    for i im range(0, n) { O[i] = 1.0 }            //! error: expected `in`, not `im`   //~ fix: Write `in`
  }
  if n > 5 {
    if n > 3 { O[0] = 1.0 } els { O[0] = 2.0 }     //! error: expected `else`, not `els`   //~ fix: Write `else`
  }
  if n > 5 {
    if n > 3 { O[0] = 1.0 } esle { O[0] = 2.0 }    //! error: expected `else`, not `esle`   //~ fix: Write `else`
  }
  if n > 5 {
    if n > 3 { O[0] = 1.0 } else fi n > 2 { O[0] = 2.0 }   //! error: expected `if`, not `fi`   //~ fix: Write `if`
  }
  if n > 5 {
    vra y = x                                      //! error: expected `var`, not `vra`   //~ fix: Write `var`
    O[0] = y
  }
  if n > 5 {
    lett y = x                                     //! error: expected `let`, not `lett`   //~ fix: Write `let`
    O[0] = y
  }
  if n > 5 {
    for i in range(0, n) { contniue; O[i] = 1.0 }   //! error: there is no `contniue` here; did you mean `continue`?   //~ fix: Change to `continue`
  }
  if n > 5 {
    let y = flase                                  //! error: there is no `flase` here; did you mean `false`?   //~ fix: Change to `false`
    if y { O[0] = 1.0 }
  }
  if n > 5 {
    for i in range(0, n) { pass }      //! error: there is no `pass` here; a block may be empty   //~ fix: Remove `pass`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

fn returned(a: f32) -> f32 {
  retrun a                                         //! error: expected `return`, not `retrun`   //~ fix: Write `return`
}
