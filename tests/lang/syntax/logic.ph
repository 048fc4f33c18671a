// Conditions and comparisons as other languages write them.
kernel negations(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if not n == 3 { O[0] = 1.0 }                   //! error: `not` is written `!`   //~ fix: Write `!(…)`
  }
  if n > 5 {
    if n == 3 && not m == 4 { O[0] = 1.0 }         //! error: `not` is written `!`   //~ fix: Write `!(…)`
  }
  if n > 5 {
    if n is not 3 { O[0] = 1.0 }                   //! error: `is not` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    if not n < 3 { O[0] = 1.0 }                    //! error: `not` is written `!`   //~ fix: Write `!(…)`
  }
  if n > 5 {
    let y = not (n == 3)                           //! error: there is no operation or function `not`; it is spelt `!`   //~ fix: Change to `!`
    if y { O[0] = 1.0 }
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel words(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if n == 3 and m == 4 { O[0] = 1.0 }            //! error: `and` is written `&&`   //~ fix: Write `&&`
  }
  if n > 5 {
    if n == 3 or m == 4 { O[0] = 1.0 }             //! error: `or` is written `||`   //~ fix: Write `||`
  }
  if n > 5 {
    if n is 3 { O[0] = 1.0 }                       //! error: `is` is written `==`   //~ fix: Write `==`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel chains(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if n == 1 == true { O[0] = 1.0 }               //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Compare once
  }
  if n > 5 {
    if n < m < 3 { O[0] = 1.0 }                    //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  }
  if n > 5 {
    if 0 <= n + 1 < m { O[0] = 1.0 }               //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  }
  if n > 5 {
    if 0 < n < m < 9 { O[0] = 1.0 }                //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  }
  if n > 5 {
    if 0 < n && n < m < 9 { O[0] = 1.0 }           //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  }
  if n > 5 {
    if n != 3 == false { O[0] = 1.0 }              //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Compare once
  }
  if n > 5 {
    if n == m == 3 { O[0] = 1.0 }                  //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel signs(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    if n =! 3 { O[0] = 1.0 }                       //! error: `=!` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    let y = n =! 3                                 //! error: `=!` is written `!=`   //~ fix: Write `!=`
    if y { O[0] = 1.0 }
  }
  if n > 5 {
    if n => 3 { O[0] = 1.0 }                       //! error: `=>` is written `>=`   //~ fix: Write `>=`
  }
  if n > 5 {
    if n =< 3 { O[0] = 1.0 }                       //! error: `=<` is written `<=`   //~ fix: Write `<=`
  }
  if n > 5 {
    if n === 3 { O[0] = 1.0 }                      //! error: `===` is written `==`   //~ fix: Write `==`
  }
  if n > 5 {
    if n !== 3 { O[0] = 1.0 }                      //! error: `!==` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    if n <> 3 { O[0] = 1.0 }                       //! error: `<>` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    if n ~= 3 { O[0] = 1.0 }                       //! error: `~=` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    if n ! = 3 { O[0] = 1.0 }                      //! error: `! =` is written `!=`   //~ fix: Write `!=`
  }
  if n > 5 {
    if n = = 3 { O[0] = 1.0 }                      //! error: `= =` is written `==`   //~ fix: Write `==`
  }
  if n > 5 {
    if n < = 3 { O[0] = 1.0 }                      //! error: `< =` is written `<=`   //~ fix: Write `<=`
  }
  if n > 5 {
    let a = n > 3
    let b = m > 3
    if a & & b { O[0] = 1.0 }                   //! error: `& &` is written `&&`   //~ fix: Write `&&`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel conditionals(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let y = n > 3 ? 1.0 : n > 2 ? 2.0 : 3.0        //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = n > 3 ? n > 4 ? 1.0 : 2.0 : 3.0        //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = (n > 3 ? 1.0 : 2.0) + 1.0              //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    O[n > 3 ? 1 : 2] = 3.0                         //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
  }
  if n > 5 {
    O[0] = sqrt(n > 3 ? x : 2.0)                   //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
  }
  if n > 5 {
    let y = n > 3 && m > 4 ? x + 1.0 : x * 2.0     //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = if n > 3 { 1.0 } else { 2.0 }          //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = if n > 3 { 1.0 } else if n > 2 { 2.0 } else { 3.0 }   //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = if n > 3 then 1.0 else 2.0             //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one   //~ fix: Write `where(…)`
    O[0] = y
  }
  if n > 5 {
    let y = 1.0 if n > 3 else 2.0                  //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one   //~ fix: Write `where(…)`
    O[0] = y
  }
  O[0] = nope                                      //! error: there is no `nope` here
}
