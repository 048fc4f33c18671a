@launch(64)
kernel control(X: tensor<i32>[64], O: tensor<i32>[64], n: i32) {
  let t = ctx.thread
  var a: i32 = 0
  var b: i32 = 1
  for<unroll 2> i in range(0, n) {
    if X[t] == i {
      break
    } else if i > 3 {
      b = b + i
      continue
    }
    a = a + b
  }
  while a < n {
    a = a * 2 + 1
  }
  if n == 7 {
    return
  }
  O[t] = a
}
