// What may be declared and assigned, and what nobody uses.

fn doubled(x: f32) -> f32 { return x * 2.0 }           //~ related: it is first defined here
fn doubled(x: f32) -> f32 { return x + x }             //! error PH0113: `doubled` is defined twice in this file

kernel twice(n: i32, Out: tensor<i32>[8]) {
  let a = 1                                //~ related: declared here first
  let a = 2                                //! error PH0103: `a` is already declared in this block   //~ no fix
  Out[0] = i32(a)
  var b = n                                //~ related: declared here first
  var b = n + 1                            //! error PH0103: `b` is already declared in this block   //~ fix: Assign to it instead
  Out[1] = b
  if n > 0 {
    let b = 3                              //! hint PH0115: `b` shadows the `b` of an outer block
    Out[2] = i32(b)
  }
  let exp = 1                              //! hint PH0115: `exp` shadows the built-in of that name
  Out[3] = i32(exp)
}

kernel assigned(n: i32, x: f32, T: tensor<f32>[8, 8], Out: tensor<f32>[M]) {   //~ related: declared here   //~ related: bound here
  let a = 1                                //~ related: declared here
  a = 2                                    //! error PH0104: `a` cannot be assigned: it is declared with `let`   //~ fix: Declare it with `var`
  let t = T[0 :+ 4, 0 :+ 8]                //~ related: declared here
  t[0, ctx.thread] = 1.0                   //! error PH0104: `t` cannot be assigned: it is declared with `let`   //~ fix: Declare it with `var`
  n = 3                                    //! error PH0104: `n` cannot be assigned: it is a parameter   //~ fix: Copy the parameter into a `var`
  x += 1.0                                 //! error PH0104: `x` cannot be assigned: it is a parameter   //~ fix: Copy the parameter
  Out = 1.0                                //! error PH0104: `Out` cannot be assigned: it is a tensor; store through a subscript
  M = 3                                    //! error PH0104: `M` cannot be assigned: it is a dimension
  for i in range(0, 4) {                   //~ related: the loop is here
    i = 3                                  //! error PH0104: `i` cannot be assigned: it is a loop's variable
  }
  Out[0] = x + f32(a + n) + t[0, 0]
}
fn one_line(x: f32) -> f32 { x = x + 1.0; return x }   //! error PH0104: `x` cannot be assigned   //~ fix: Copy the parameter

kernel unused(n: i32, A: tensor<f32>[8, 8], Out: tensor<f32>[8]) {   //! hint PH0114: `n` is never used   //~ no fix
  let a = 1                                //! hint PH0114: `a` is never used            //~ fix: Rename to `_a`
  let b = A[0, 0] * 2.0
  let c = tmax(A[0 :+ 4, :], b)            //! hint PH0114: `c` is never used            //~ fix: Delete it
  for i in range(0, 4) {                   //! hint PH0114: `i` is never used            //~ fix: Rename to `_i`
    Out[0] = doubled(b)
  }
  var d = 1                                //! hint PH0114: `d` is never used            //~ no fix
  d = 2
  let _e = 1
}

fn first(n: i32) -> i32 { return second(n) }           //! error PH0112: recursion is not possible, since calls are inlined: `first` → `second` → `first`
fn second(n: i32) -> i32 { return first(n) }           //~ related: `second` calls on here
fn itself(n: i32) -> i32 { return itself(n) }          //! error PH0112: `itself` calls itself
