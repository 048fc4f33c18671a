// Operators, literals and calls as other languages write them.
kernel operators(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  let a = n > 1 and n < 3                         //! error: `and` is written `&&`   //~ fix: Write `&&`
  let b = n > 1 or not a                          //! error: `or` is written `||`   //~ fix: Write `||`   //! error: `not` is written `!`   //~ fix: Write `!`
  let c = n as f32                                //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
  let d = (f32) n                                 //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
  let e = n > 3 ? 1 : 2                           //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
  let f = c ** 2.0                                //! error: a power is written `pow(a, b)`   //~ fix: Write `pow(…)`
  let h = n === 3                                 //! error: `===` is written `==`   //~ fix: Write `==`
  let i = n <> 3                                  //! error: `<>` is written `!=`   //~ fix: Write `!=`
  let j = n => 3                                  //! error: `=>` is written `>=`   //~ fix: Write `>=`
  let k = 0 < n < 3                               //! error: comparisons do not chain; join two of them with `&&`   //~ fix: Join with `&&`
  let l = +n                                      //! error: there is no unary `+`   //~ fix: Remove `+`
  let m = *n                                      //! error: there are no pointers: an element is `A[i]`
  let o = n > 1 &&                                //! error: expected a value behind `&&`
  let p = n $ 3                                   //! error: unexpected `$`
  let q = n !                                     //! error: expected an operator or a new line before `!`
  let r = n if n > 3 else 4                       //! error: `if` is a statement and gives no value: `where(c, a, b)` chooses one
  let s = n ≤ 3                                   //! error: this is a less-or-equal sign (U+2264): write `<=`   //~ fix: Write `<=`
  let t = static_cast<float>(n)                   //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
  let u = ctx lane                                //! error: expected `.` behind `ctx`   //~ fix: Insert `.`
  let v = ctx::lane                               //! error: `::` is written `.`   //~ fix: Write `.`
  let w = ctx.                                    //! error: expected a field's name
  O[0] = nope + c + f + t                         //! error: there is no `nope` here
}

kernel products(X: tensor<f32>[16, 16], Y: tensor<f32>[16, 16], O: tensor<f32>[16, 16]) {
  O[:, :] = X[:, :] @ Y[:, :]                     //! error: unexpected `@`: the matrix product of two tiles is `dot(a, b)`   //~ fix: Write `dot(…)`
  O[0, 0] = nope                                  //! error: there is no `nope` here
}

kernel slices(A: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  O[8 :] = A[8 : 64]                              //! error: a range needs an end: write `8 :+ n` for `n` elements from `8`   //~ fix: Go up to the end of the axis
  O[0 :] = A[:]                                   //! error: a range needs an end: write `0 :+ n` for `n` elements from `0`   //~ fix: Take the whole axis
  O[n :] = A[:]                                   //! error: a range needs an end: write `n :+ n` for `n` elements from `n`
  O[:+ 4] = A[0 :+ 4]                             //! error: expected a start before `:+`   //~ fix: Insert `0`
  O[0 :+] = A[:]                                  //! error: expected a value behind `:+`
  O[0 : 4 : 2] = A[:]                             //! error: a slice has a start and an end, and no step
  O[0..4] = A[0 : 4]                              //! error: `..` is no range: a slice is `a : b`, a loop's range is `range(a, b)`   //~ fix: Write `:`
  O[0] = nope                                     //! error: there is no `nope` here
}

kernel folds(A: tensor<f32>[64], O: tensor<f32>[64]) {
  let q = shfl<xor>(1.0)                          //! error: `xor` needs a lane count behind it, as in `shfl<xor 1>(v)`
  let r = shfl<sideways 3>(1.0)                   //! error: `<sideways>` names no group and no shuffle: it takes `over`, `xor`, `up`, `down` or `from`
  let s = sum<over lane>(1.0)                     //! error: expected `ctx.lane` or `ctx.thread` behind `over`   //~ fix: Write `over ctx.lane`
  let t = sum<ctx.lane>(1.0)                      //! error: expected `over` before `ctx.lane` or `ctx.thread`   //~ fix: Write `over ctx.lane`
  let u = sum<lane>(1.0)                          //! error: expected `over` before `ctx.lane` or `ctx.thread`   //~ fix: Write `over ctx.lane`
  let v = sum over ctx.lane>(1.0)                 //! error: expected `<` before `over`   //~ fix: Insert `<`
  let w = sum<over ctx.lane(1.0)                  //! error: expected `>` behind the fold   //~ fix: Insert `>`
  let x = sum<over ctx.>(1.0)                     //! error: expected `ctx.lane` or `ctx.thread` behind `over`
  let y = shfl<16>(1.0)                           //! error: `<…>` takes `over ctx.lane` or `over ctx.thread`, or `xor`, `up`, `down` or `from` and a lane count
  let z = shfl xor 16>(1.0)                       //! error: expected `<` before `xor`   //~ fix: Insert `<`
  O[0] = nope + s + t + u + v + w + z             //! error: there is no `nope` here
}

kernel literals(O: tensor<f32>[64], n: i32) {
  let a = "text"                                  //! error: there are no strings
  let b = 'c'                                     //! error: there are no strings
  O[0] = 1.                                       //! error: `1.` is written `1.0`   //~ fix: Write `1.0`
  O[1] = .5                                       //! error: `.5` is written `0.5`   //~ fix: Write `0.5`
  O[2] = 1.0f                                     //! error: `1.0f`: a number has no suffix   //~ fix: Write `1.0`
  let c = 1u                                      //! error: `1u`: a number has no suffix   //~ fix: Write `1`
  let d = 2x                                      //! error: `2x` is neither a number nor a name
  let e = 0x                                      //! error: `0x` is neither a number nor a name
  let f = 1_0.5                                   //! error: `1_0.5` is written `10.5`   //~ fix: Write `10.5`
  let g = 9223372036854775808                     //! error: `9223372036854775808` is too large: the largest integer is 9223372036854775807
  let h = -9223372036854775808
  let α = 1.0                                     //! error: `α` is no name: names are ASCII letters, digits and `_`
  O[3] = pow(x = 2.0, 2.0)                        //! error: arguments are given by place, not by name   //~ fix: Remove the name
  # a comment                                     //! error: `//` begins a comment, not `#`   //~ fix: Write `//`
  /* another */                                   //! error: there is no block comment: `//` begins a comment, and the line ends it   //~ fix: Write `//`
  #pragma unroll                                  //! error: there are no pragmas: a loop is unrolled with `for<unroll>`
  O[4] = nope + α                                 //! error: there is no `nope` here
}

fn pair(x: f32) -> f32 {
  return x, x                                     //! error: unexpected `,`: a function returns one value
}

@launch(64)
kernel squares(y: tensor<i32>[64], x: tensor<f32>[64], n: i32) {
  let i = ctx.thread
  y[i] **= 2                                        //! error: a power is written `pow(a, b)`   //~ fix: Write `*= y[i]`
  y[i] = -n ** 2                                    //! error: a power is written `pow(a, b)`   //~ fix: Write `n * n`
  y[i] = 12 / n ** 2                                //! error: a power is written `pow(a, b)`   //~ fix: Write `(n * n)`
  y[i] = n ** n                                     //! error: a power is written `pow(a, b)`
  x[i] = -x[i] ** 3.0                               //! error: a power is written `pow(a, b)`   //~ fix: Write `pow(…)`
}
