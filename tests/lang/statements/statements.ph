// Loops, conditions, results.

kernel loops(n: i32, x: f32, Out: tensor<f32>[8]) {
  for i in range(0, x) { Out[i] = 1.0 }    //! error PH0214: a bound of `range` is an integer, not `f32`   //~ fix: Convert to `i32`
  for i in range(0.5, n) { Out[i] = 1.0 }  //! error PH0214: a bound of `range` is an integer, not `f32`   //~ fix: Convert to `i32`
  for i in range(0, n, 0) { Out[i] = 1.0 } //! error PH0215: the step of `range` must be positive, not 0
  for i in range(n, 0, -1) { Out[i] = 1.0 }   //! error PH0215: the step of `range` must be positive, not -1
  break                                    //! error PH0225: `break` stands outside of any loop
  if n > 0 { continue }                    //! error PH0225: `continue` stands outside of any loop
  var k = 0
  k == 3                                   //! hint PH0229: the value of this expression is not used   //~ fix: Assign instead
  n + 1                                    //! hint PH0229: the value of this expression is not used   //~ fix: Delete it
  Out[k] = 1.0
}

kernel gives(n: i32) -> i32 {              //! error PH0001: a kernel returns nothing    //~ fix: Remove it
  let _a = n
}
kernel gives_back(n: i32) {
  if n > 3 { return }
  return n                                 //! error PH0224: a kernel returns no value    //~ fix: Return nothing
}
fn undeclared(x: f32) { return x * 2.0 }   //! error PH0224: `undeclared` declares no result; write `-> f32`   //~ fix: Declare the result `f32`
fn twice_undeclared(x: f32) {
  if x > 0.0 { return x }                  //! error PH0224: `twice_undeclared` declares no result   //~ fix: Declare the result
  return x * 2.0
}
fn nothing(x: f32) -> f32 {
  if x > 1.0 { return }                    //! error PH0224: `return` needs a value: `nothing` gives an `f32`
  return x
}
fn sometimes(x: f32) -> f32 {              //! error PH0224: `sometimes` gives an `f32`, but its body can end without a `return`
  if x > 1.0 { return x }
}
fn other(x: f32) -> i32 {                  //~ related: `other` gives this
  return x                                 //! error PH0204: write `i32(x)`               //~ fix: Convert to `i32`
}
fn calls(x: f32) -> f32 {
  let _a = nothing(x, x)                   //! error PH0210: `nothing` takes 1 argument, not 2
  let _b = other()                         //! error PH0210: `other` takes 1 argument, not 0
  return nothing(x)
}
