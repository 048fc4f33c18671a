// What is behind a statement that leaves is never run.

@launch(64)
kernel leaves(O: tensor<f32>[64]) {
  for i in range(0, 64) {
    if O[i] > 1.0 {
      continue
      O[i] = 1.0                                   //! hint PH0118: nothing reaches this: the `continue` before it goes on elsewhere
      O[i] = 2.0
    }
    if O[i] > 2.0 {                                //~ related: what is behind this does not run
      break
    } else {
      return
    }
    O[i] = 3.0                                     //! hint: nothing reaches this: both branches before it leave
  }
  O[0] = 1.0
}

@launch(64)
kernel endless(O: tensor<f32>[64]) {
  while true {
    if O[0] > 1.0 { return }
  }
  O[0] = 1.0                                       //! hint: nothing reaches this: the loop before it has no end
}

fn helper(x: f32) -> f32 {
  return x
  return 2.0 * x                                   //! hint: nothing reaches this: the `return` before it leaves
}

@launch(64)
kernel reached(O: tensor<f32>[64]) {
  while true {
    if O[0] > 1.0 { break }
  }
  if O[1] > 0.0 { return }
  O[ctx.thread] = helper(1.0)
}
