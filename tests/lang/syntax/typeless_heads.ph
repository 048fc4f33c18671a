// Heads as Go, Python and C++ write them: one error each.

kernel calls(x: tensor<f32>[64]) {
  x[0] = go(1.0) + go_two(1.0, 2) + python(1.0) + c_plus_plus(1.0) + element(x, 1) + sum_of(1.0, 2.0) + extent_of(x, 3) + first(x)
}

func go(x f32) f32 {                             //! error: a function begins with `fn`; a type stands behind `:`, and the result's behind `->`   //~ fix: Write `fn`
  return x
}

fn go_two(x f32, n i32) f32 {                    //! error: expected `:` and the parameter's type   //~ fix: Insert the signs before the types
  return x + f32(n)
}

def python(x):                                   //! error: a function begins with `fn`, and each parameter has a type   //~ fix: Write `fn`
  return x

fn c_plus_plus<T>(x: T) -> T {                   //! error: there are no type parameters   //~ fix: Write `f32` in its place
  let a: T = x
  return a
}

fn element<T, N>(x: tensor<T>[N], i: i32) -> T {   //! error: there are no type parameters   //~ fix: Write `f32` in its place
  return x[i]
}

fn sum_of(a, b) {                                //! error: expected `:` and the parameter's type   //~ fix: Insert the types
  return a + b
}

fn extent_of<N>(x: tensor<f32>[N], i: i32) -> f32 {   //! error: there are no type parameters   //~ fix: Remove it
  return x[i]
}

fn first(t) {                                    //! error: expected `:` and the parameter's type   //~ fix: Insert the types
  return t[0]
}

kernel untyped(x, n) {                           //! error: expected `:` and the parameter's type   //~ fix: Insert the types
  x[0] = n
}

function typed(x: f32): f32 {                    //! error: a function begins with `fn`; a type stands behind `:`, and the result's behind `->`   //~ fix: Write `fn`
  return x
}

template <typename T> T id(T x) { return x; }    //! error: there are no templates

kernel calls_it(x: tensor<f32>[64]) {
  x[0] = typed(1.0) + id(2.0)
}
