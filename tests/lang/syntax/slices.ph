// Slices and literals as other languages write them.
kernel spans(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    O[0 +: 4] = A[0 :+ 4]                          //! error: `+:` is written `:+`   //~ fix: Write `:+`
  }
  if n > 5 {
    O[0 :+ 4] = A[n : +4]                          //! error: `: +` is written `:+`   //~ fix: Write `:+`
  }
  if n > 5 {
    O[0 :+ 4] = A[0 : + 4]                         //! error: `: +` is written `:+`   //~ fix: Write `:+`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel dots(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    O[0 :+ 4] = A[0..4]                            //! error: `..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`   //~ fix: Write `:`
  }
  if n > 5 {
    O[0 :+ 4] = A[0...4]                           //! error: `..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`   //~ fix: Write `:`
  }
  if n > 5 {
    O[0 :+ 4] = A[0..=3]                           //! error: `..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`   //~ fix: Write `:`
  }
  if n > 5 {
    O[:] = A[..]                                   //! error: `..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel pairs(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    B[0][0] = 1.0                                  //! error: expected a name or an element of one to assign to   //~ fix: Write them in one pair of brackets
  }
  if n > 5 {
    A(0) = 1.0                                     //! error: expected a name or an element of one to assign to   //~ fix: Write `[…]`
  }
  if n > 5 {
    O[n // 2] = 1.0                                //! error: expected `]` to close the subscript opened here   //~ fix: Write `/` for `//`
  }
  if n > 5 {
    let y = n / / 2                                //! error: `/ /` is written `/`   //~ fix: Write `/`
    O[y] = 1.0
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel numbers(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let y = 0x1.8p3                                //! error: `0x1.8p3`: a float is written in decimal digits   //~ fix: Write `12.0`
    O[0] = y
  }
  if n > 5 {
    let y = 0x1p3                                  //! error: `0x1p3`: a float is written in decimal digits   //~ fix: Write `8.0`
    O[0] = y
  }
  if n > 5 {
    let y = 1f32                                   //! error: `1f32`: a number has no suffix   //~ fix: Write `1.0`
    O[0] = y
  }
  if n > 5 {
    let y = 3i64                                   //! error: `3i64`: a number has no suffix   //~ fix: Write `3`
    O[0] = f32(y)
  }
  if n > 5 {
    let y = 1.0f16                                 //! error: `1.0f16`: a number has no suffix   //~ fix: Write `1.0`
    O[0] = y
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel letters(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let grün = 1.0                                 //! error: `grün` is no name: names are ASCII letters, digits and `_`   //~ fix: Rename to
    O[0] = grün
  }
  if n > 5 {
    let Δx = 1.0                                   //! error: `Δx` is no name: names are ASCII letters, digits and `_`   //~ fix: Rename to
    O[0] = Δx
  }
  if n > 5 {
    let 名 = 1.0                                    //! error: `名` is no name: names are ASCII letters, digits and `_`
    O[0] = 名
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel undeclared(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    first = 3.0                                    //! error: there is no `first` here; a name is declared with `let` or `var`   //~ fix: Declare it with `var`
    O[0] = first
  }
  if n > 5 {
    A[0] := 1.0                                    //! error: `:=` is written `=`   //~ fix: Write `=`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel pragmas(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    #pragma unroll 4                               //! error: there are no pragmas: a loop is unrolled with `for<unroll>`   //~ fix: Write `for<unroll 4>`
    for i in range(0, 8) { O[i] = 1.0 }
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel line_ends(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    O[ctx.
      thread] = 1.0
  }
  if n > 5 {
    let
    y = 1.0
    O[0] = y
  }
  if n > 5 {
    var t:
      tile<f32>[8, 8]
    t[0, 0] = x
    O[0] = t[0, 0]
  }
  if n > 5 {
    var t: tile<f32>
      [8, 8] = x
    O[0] = t[0, 0]
  }
  if n > 5 {
    if n > 3 {
      O[0] = 1.0
    } else
    {
      O[0] = 2.0
    }
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel axes(A: tensor<f32>[64], O: tensor<f32>[64, 64]) {
  let v = A[0 :+ 32]
  O[0 :+ 32, 0 :+ 32] = v[None, :]                 //! error: no axis is added in front   //~ fix: Remove the subscripts
  O[0 :+ 32, 0 :+ 32] = v[np.newaxis, :]           //! error: no axis is added in front   //~ fix: Remove the subscripts
  O[0 :+ 32, 0 :+ 32] = v[:, None] * v[None, :]    //! error: a subscript adds no axis: a column is a tile of shape `[R, 1]`   //! error: no axis is added in front
  let row = O[0, ]                                 //! error: expected a subscript behind `,`   //~ fix: Remove `,`
  O[0, ] = nope                                    //! error: expected a subscript behind `,`   //~ fix: Remove `,`   //! error: there is no `nope` here
}
