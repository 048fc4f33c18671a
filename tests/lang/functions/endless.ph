// A loop without end, but for its returns, is the end of a function.

fn first_above(x: f32) -> f32 {
  var y = x
  while true {
    if y > 1.0 { return y }
    y = y * 2.0
  }
}

fn always(x: f32) -> f32 {
  while 1 < 2 {
    for i in range(0, 4) {
      if i > 2 { break }
    }
    return x
  }
}

fn is_left(x: f32) -> f32 {                         //! error PH0224: its body can end without a `return`
  while true {
    if x > 1.0 {
      break
    }
    return x
  }
}

fn may_not_begin(x: f32) -> f32 {                   //! error PH0224: its body can end without a `return`
  while x > 1.0 {
    return x
  }
}

kernel calls(O: tensor<f32>[N]) {
  O[0] = first_above(0.5) + always(2.0)
}
