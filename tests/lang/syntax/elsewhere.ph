// Declarations, casts and calls as other languages write them.
kernel declarations(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let y f32 = 3.0                                //! error: expected `:` before the type   //~ fix: Insert `:`
    O[0] = y
  }
  if n > 5 {
    var y f32 = 3.0                                //! error: expected `:` before the type   //~ fix: Insert `:`
    O[0] = y
  }
  if n > 5 {
    var y i32 = 3                                  //! error: expected `:` before the type   //~ fix: Insert `:`
    y = 4
    O[0] = f32(y)
  }
  if n > 5 {
    let mut y = 3.0                                //! error: what can be assigned is declared with `var`   //~ fix: Write `var`
    y = 4.0
    O[0] = y
  }
  if n > 5 {
    let mut y: f32 = 3.0                           //! error: what can be assigned is declared with `var`   //~ fix: Write `var`
    y = 4.0
    O[0] = y
  }
  if n > 5 {
    var mut y = 3.0                                //! error: what can be assigned is declared with `var`   //~ fix: Write `var`
    y = 4.0
    O[0] = y
  }
  if n > 5 {
    let const y = 3.0                              //! error: what is not assigned is declared with `let`   //~ fix: Write `let`
    O[0] = y
  }
  if n > 5 {
    const let y = 3.0                              //! error: a name is declared with `let` or `var`, without `const`   //~ fix: Remove `const`
    O[0] = y
  }
  if n > 5 {
    let var y = 3.0                                //! error: unexpected keyword `var`: a name is declared with one keyword   //~ fix: Write `var`
    y = 4.0
    O[0] = y
  }
  if n > 5 {
    var let y = 3.0                                //! error: unexpected keyword `let`: a name is declared with one keyword   //~ fix: Write `var`
    O[0] = y
  }
  if n > 5 {
    f32 y = 1.0                                    //! error: a name is declared with `let` or `var`   //~ fix: Write `var y`
    O[0] = y
  }
  if n > 5 {
    f32 y = 1.0;                                   //! error: a name is declared with `let` or `var`   //~ fix: Write `var y`
    O[0] = y;
  }
  if n > 5 {
    int i = 0                                      //! error: a name is declared with `let` or `var`   //~ fix: Write `var i`
    O[i] = 1.0
  }
  if n > 5 {
    auto y = x                                     //! error: a name is declared with `let` or `var`   //~ fix: Write `var y`
    O[0] = y
  }
  if n > 5 {
    const float y = x                              //! error: a name is declared with `let` or `var`   //~ fix: Write `let y`
    O[0] = y
  }
  if n > 5 {
    float y                                        //! error: a name is declared with `let` or `var`   //~ fix: Write `var y: f32`
    y = x
    O[0] = y
  }
  if n > 5 {
    float y = 1.0, z = 2.0                         //! error: a name is declared with `let` or `var`   //~ fix: Write `var y`
    O[0] = y + z
  }
  if n > 5 {
    let y = 1.0, z = 2.0                           //! error: unexpected `,`: one declaration names one value   //~ fix: Declare each
    O[0] = y + z
  }
  if n > 5 {
    let y: index = 1                               //! error: there is no type `index`; the nearest is `i64`, which is as wide and can be written   //~ fix: Change to `i64`
    O[y] = 1.0
  }
  if n > 5 {
    unsigned int i = 3                             //! error: a name is declared with `let` or `var`   //~ fix: Write `var i`
    O[i] = 1.0
  }
  if n > 5 {
    shared var s: tile<f32>[256]                   //! error: a name is declared with `let` or `var`, without `shared`   //~ fix: Remove `shared`
    s[0] = x
    O[0] = s[0]
  }
  if n > 5 {
    static let y = 1.0                             //! error: a name is declared with `let` or `var`, without `static`   //~ fix: Remove `static`
    O[0] = y
  }
  if n > 5 {
    float y, z                                     //! error: a name is declared with `let` or `var`   //~ fix: Write `var y: f32`
    y = x
    z = x
    O[0] = y + z
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel tiles(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    var u: f32[32]                                 //! error: a tile's type is written `tile<f32>[…]`   //~ fix: Write `tile<f32>`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u: [f32; 32]                               //! error: a tile's type is written `tile<T>[dimensions]`   //~ fix: Write `tile<f32>[32]`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u: float[32]                               //! error: a tile's type is written `tile<f32>[…]`   //~ fix: Write `tile<f32>`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u: tile<f32, 32>                           //! error: unexpected `,`: the dimensions stand behind the element's type, as in `tile<f32>[M, N]`   //~ fix: Write `tile<f32>[32]`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u: tile[32]                                //! error: expected `<` and the element's type, as in `tile<f32>[N]`, not `[`   //~ fix: Insert `<f32>`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u: tile<f32>(32)                           //! error: expected `[` before the dimensions, not `(`   //~ fix: Write `[…]`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u = tile<f32>[32]                          //! error: unexpected `=`: a tile's type stands behind `:`   //~ fix: Write `:`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    let u: tile<f32>[32]                           //! error: expected `=` and a value   //~ fix: Write `var`
    O[0 :+ 32] = u
  }
  if n > 5 {
    var u[32]: f32                                 //! error: unexpected `[`: the extents stand in the type, as in `var t: tile<f32>[32]`   //~ fix: Write `u: tile<f32>[32]`
    u[0] = x
    O[0] = u[0]
  }
  if n > 5 {
    var u = f32[32]                                //! error: unexpected `=`: a tile's type stands behind `:`   //~ fix: Write `:`
    u[0] = x
    O[0] = u[0]
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel conversions(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let y = (f32)n                                 //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = (float)n                               //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = (float) n + 1.0                        //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = (f32)(n + 1)                           //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = n as f32                               //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = (n + 1) as f32                         //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = float(n)                               //! error: there is no operation or function `float`; it is spelt `f32`   //~ fix: Change to `f32`
    O[0] = y
  }
  if n > 5 {
    let y = int(x)                                 //! error: there is no operation or function `int`; it is spelt `i32`   //~ fix: Change to `i32`
    O[y] = 1.0
  }
  if n > 5 {
    let y = static_cast<float>(n)                  //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = static_cast<f32>(n)                    //! error: a conversion is written `f32(x)`   //~ fix: Write `f32(…)`
    O[0] = y
  }
  if n > 5 {
    let y = x.sqrt()                               //! error: `x` has no fields; only `ctx` has; an operation stands before its operand: `sqrt(x)`   //~ fix: Change to `sqrt(x)`
    O[0] = y
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel closures(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let f = |a| a * 2.0                            //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    O[0] = f(1.0)
  }
  if n > 5 {
    let f = || 1.0                                 //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    O[0] = f()
  }
  if n > 5 {
    let f = lambda a: a * 2.0                      //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    O[0] = f(1.0)
  }
  if n > 5 {
    let f = (a) => a * 2.0                         //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    O[0] = f(1.0)
  }
  if n > 5 {
    let f = [&](float a) { return a * x; }         //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    O[0] = f(1.0)
  }
  if n > 5 {
    var t: tile<f32>[8, 8] = generate(|i, j| f32(i + j))   //! error: a function has a name and is no value: it is defined with `fn` outside of the kernel
    B[0 :+ 8, 0 :+ 8] = t
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel strings(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    println!("x = {}", x)                          //! error: there is no `println!`: `print(x, y)` shows values, each behind its own text   //~ fix: Write `print(x)`
    O[0] = x
  }
  if n > 5 {
    printf("x = %f", x)                            //! error: there is no `printf`: `print(x, y)` shows values, each behind its own text   //~ fix: Write `print(x)`
    O[0] = x
  }
  if n > 5 {
    let s = "text"                                 //! error: there are no strings
  }
  if n > 5 {
    assert(n > 3, "why")                           //! error: there is no `assert`   //~ fix: Remove it
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel pointers(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    O[0] = *A                                      //! error: there are no pointers: an element is `A[i]`   //~ fix: Write `[0]`
  }
  if n > 5 {
    O[0] = *(A + 1)                                //! error: there are no pointers: an element is `A[i]`   //~ fix: Write `[…]`
  }
  if n > 5 {
    O[0] = &x                                      //! error: there are no references: a tensor is passed by its name   //~ fix: Remove `&`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel assignments(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    var z = x
    z + = 1.0                                      //! error: `+ =` is written `+=`   //~ fix: Write `+=`
    O[0] = z
  }
  if n > 5 {
    var z = x
    z **= 2.0                                      //! error: a power is written `pow(a, b)`   //~ fix: Write `pow(…)`
    O[0] = z
  }
  if n > 5 {
    var z = n > 3
    z ||= m > 3                                    //! error: there is no `||=`: write `x = x || y`   //~ fix: Write `= z ||`
    if z { O[0] = 1.0 }
  }
  if n > 5 {
    A[0] := 1.0                                    //! error: `:=` is written `=`   //~ fix: Write `=`
  }
  if n > 5 {
    z : = 3.0                                      //! error: a name is declared with `let` or `var`   //~ fix: Write `var`
    O[0] = z
  }
  if n > 5 {
    A(0) = 1.0                                     //! error: expected a name or an element of one to assign to
  }
  if n > 5 {
    O[0] = A(0)                                    //! error: `A` names a value of type `tensor<f32>[64]` here, no function; an element stands in brackets   //~ fix: Write `[…]`
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel qualifiers(mut a: tensor<f32>[64], let b: tensor<f32>[64], var c: tensor<f32>[64], d: const tensor<f32>[64], e: &mut tensor<f32>[64]) {   //! error: a parameter is written `name: type`, without `mut`   //~ fix: Remove `mut`   //! error: a parameter is written `name: type`, without the keyword `let`   //~ fix: Remove `let`   //! error: a parameter is written `name: type`, without the keyword `var`   //~ fix: Remove `var`   //! error: a type stands without `const`   //~ fix: Remove `const`   //! error: there are no pointers and no references: a tensor is `tensor<T>[dimensions]`   //~ fix: Write the type alone
  a[0] = b[0] + c[0] + d[0] + e[0] + nope          //! error: there is no `nope` here
}

kernel pointer_types(a: float*, float* b, const float* __restrict__ c, float d, const int e, f: *const f32, g: &f32, h: f32*, i: int, float j[]) {   //! error: there are no pointers: a tensor is `tensor<T>[dimensions]`   //~ fix: Write `tensor<f32>[N]`   //! error: a parameter is written `name: type`   //~ fix: Write `b: tensor<f32>[N]`   //! error: a parameter is written `name: type`   //~ fix: Write `c: tensor<f32>[N]`   //! error: a parameter is written `name: type`   //~ fix: Write `d: f32`   //! error: a parameter is written `name: type`   //~ fix: Write `e: i32`   //! error: there are no pointers and no references: a tensor is `tensor<T>[dimensions]`   //~ fix: Write `tensor<f32>[N]`   //! error: there are no pointers and no references: a tensor is `tensor<T>[dimensions]`   //~ fix: Write `f32`   //! error: there are no pointers: a tensor is `tensor<T>[dimensions]`   //~ fix: Write `tensor<f32>[N]`   //! error: there is no type `int`; it is spelt `i32`   //~ fix: Change to `i32`   //! error: a parameter is written `name: type`   //~ fix: Write `j: tensor<f32>[N]`
  a[0] = b[0] + c[0] + d + f32(e) + f[0] + g + h[0] + f32(i) + j[0] + nope   //! error: there is no `nope` here
}

kernel array_types(a: f32[64], b: [f32; 64], c: [64]f32, d: tensor<f32>[64][64], e: tensor[64], f: tensor<f32, 64>, g: tensor<f32>[], h: tensor<f32>[?], i: tl.float32) {   //! error: a tensor's type is written `tensor<f32>[…]`   //~ fix: Write `tensor<f32>`   //! error: a tensor's type is written `tensor<T>[dimensions]`   //~ fix: Write `tensor<f32>[64]`   //! error: a tensor's type is written `tensor<T>[dimensions]`   //~ fix: Write `tensor<f32>[64]`   //! error: unexpected `[`: the dimensions stand in one pair of brackets   //~ fix: Write them in one pair   //! error: expected `<` and the element's type, as in `tensor<f32>[N]`, not `[`   //~ fix: Insert `<f32>`   //! error: unexpected `,`: the dimensions stand behind the element's type, as in `tensor<f32>[M, N]`   //~ fix: Write `tensor<f32>[64]`   //! error: expected a dimension: a name or a number   //~ fix: Write `N`   //! error: expected a dimension: a name or a number, not `?`   //~ fix: Write `N`   //! error: there is no type `tl.float32`; it is `f32` here   //~ fix: Write `f32`
  a[0] = b[0] + c[0] + d[0, 0] + e[0] + f[0] + g[0] + h[0] + i + nope   //! error: there is no `nope` here
}
