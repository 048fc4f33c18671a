// A cycle of calls is told once, at its first function by name, however many functions it has and whoever calls one of them.

fn first(x: f32) -> f32 {
  return second(x) + second(x + 1.0)       //! error PH0112: recursion is not possible, since calls are inlined: `first` → `second` → `third` → `first`
}

fn second(x: f32) -> f32 {
  return third(x)                          //~ related: `second` calls on here
}

fn third(x: f32) -> f32 {
  return first(x)                          //~ related: `third` calls on here
}

fn outside(x: f32) -> f32 {
  return third(x)
}

kernel user(O: tensor<f32>[N]) {
  O[0] = second(1.0) + outside(2.0)
}
