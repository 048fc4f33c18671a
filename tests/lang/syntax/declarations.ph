// Declarations, assignments, and where one statement ends.
kernel declarations(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  let a := 1                                      //! error: `:=` is written `=`   //~ fix: Write `=`
  b := 2                                          //! error: a name is declared with `let` or `var`   //~ fix: Write `var`
  let c 3                                         //! error: expected `=` before the value   //~ fix: Insert `=`
  let d == 4                                      //! error: expected `=` before the value, not `==`   //~ fix: Write `=`
  let e                                           //! error: expected `=` and a value
  var f                                           //! error: expected a type or `=` and a value
  let mut g = 4                                   //! error: what can be assigned is declared with `var`   //~ fix: Write `var`
  int h = 3                                       //! error: a name is declared with `let` or `var`   //~ fix: Write `var h`
  const i = 4                                     //! error: a name is declared with `let` or `var`   //~ fix: Write `let i`
  float j = 1.0                                   //! error: a name is declared with `let` or `var`   //~ fix: Write `var j`
  m: f32 = 3.0                                    //! error: a name is declared with `let` or `var`   //~ fix: Insert `var`
  let (o, p) = 4                                  //! error: one declaration names one value
  let q, r = 3                                    //! error: unexpected `,`: one declaration names one value
  let 5 = 3                                       //! error: expected a name, not `5`
  let for = 3                                     //! error: expected a name, not the keyword `for`
  let s =                                         //! error: expected a value behind `=`
  let t = 1 +                                     //! error: expected a value behind `+`
  let u = if n > 3 { 1 } else { 2 }               //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one
  O[0] = nope + f32(a + b + c + d + g + h + i + q + r) + j + m  //! error: there is no `nope` here
}

kernel shared() {
  __shared__ float t[256];                        //! error: a name is declared with `let` or `var`   //~ fix: Declare a tile
  t[0] = nope                                     //! error: there is no `nope` here
}

kernel statements(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  var x = 1
  let t = 1 let u = 2                             //! error: expected a new line or `;` between two statements   //~ fix: Insert `;`
  x++                                             //! error: there is no `++`: write `+= 1`   //~ fix: Write `+= 1`
  x--                                             //! error: there is no `--`: write `-= 1`   //~ fix: Write `-= 1`
  ++x                                             //! error: there is no `++`: write `x += 1`   //~ fix: Write `x += 1`
  let v = x++                                     //! error: `++` is no operator: write `+= 1` as a statement of its own
  x =+ 1                                          //! error: `=+` is written `+=`   //~ fix: Write `+=`
  let w = x = 3                                   //! error: an assignment is a statement and gives no value
  let l = {1, 2}                                  //! error: there are no lists: a tile is declared with `var t: tile<f32>[M, N]`
  let m = [1, 2]                                  //! error: there are no lists: a tile is declared with `var t: tile<f32>[M, N]`
  = 3                                             //! error: expected a name or an element of one before `=`
  let z = 3 4                                     //! error: expected an operator or a new line before `4`
  ;
  1 = 2                                           //! error: expected a name or an element of one to assign to
  x +=                                            //! error: expected a value behind `+=`
  A[0] = 1.0 O[0] = 2.0                           //! error: expected a new line or `;` between two statements   //~ fix: Insert `;`
  O[1] = nope + f32(t + u)                        //! error: there is no `nope` here
}
