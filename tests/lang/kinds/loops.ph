// Loop variables, trip counts and threads that leave.

@launch(256)
kernel bounds(X: tensor<i32>[256], O: tensor<i32>[256], n: i32) {
  for i in range(0, n) {                 //? i: uniform
    O[ctx.thread] = i32(i)
  }
  for i in range(ctx.warp, n) {          //? i: warp-uniform   //~ reason: `i` runs from `ctx.warp`
    O[ctx.thread] = i32(i)
  }
  for i in range(0, X[ctx.lane]) {       //? i: varying   //~ reason: `i` runs up to `X[ctx.lane]`
    O[ctx.thread] = i32(i)
  }
  for i in range(0, n, 1 + ctx.lane) {   //? i: varying   //~ reason: `i` runs in steps of `1 + ctx.lane`
    O[ctx.thread] = i32(i)
  }
  for i in range(0, ctx.warp) {          //? i: warp-uniform
    for j in range(i, 8) {               //? j: warp-uniform
      let k = j + ctx.lane               //? k: varying
      O[k] = 1
    }
    for j in range(0, 8) {               //? j: uniform
      O[j] = 1
    }
  }
}

@launch(256)
kernel leaving(X: tensor<i32>[256], O: tensor<i32>[256], n: i32) {
  var before = 0                         //? before: varying
  var behind = 0                         //? behind: varying
  var outside = 0                        //? outside: uniform
  for i in range(0, n) {                 //? i: uniform
    before = before + 1                  //~ reason: `before` is assigned under control that differs between lanes
    if X[ctx.thread] == 3 {
      break                              //~ reason: this `break` leaves the loop in some lanes only
    }
    behind = behind + 1
  }
  outside = outside + 1
  var early = 0                          //? early: uniform
  var late = 0                           //? late: warp-uniform
  for i in range(0, n) {
    early = early + 1
    if ctx.warp == i {
      continue                           //~ reason: this `continue` skips the rest of the iteration in some warps only
    }
    late = late + 1
  }
  var inner = 0                          //? inner: varying
  var outer = 0                          //? outer: uniform
  for i in range(0, n) {
    for j in range(0, n) {
      if ctx.lane == j {
        break
      }
      inner = inner + 1
    }
    outer = outer + 1
  }
  O[ctx.thread] = i32(before + behind + outside + early + late + inner + outer)
}

@launch(256)
kernel returning(X: tensor<i32>[256], O: tensor<i32>[256], n: i32) {
  var first = 0                          //? first: uniform
  var looped = 0                         //? looped: varying
  var last = 0                           //? last: varying
  first = first + 1
  for i in range(0, n) {
    looped = looped + 1
    if X[ctx.thread] == 3 {
      return                             //~ reason: this `return` leaves the kernel in some lanes only
    }
  }
  last = last + 1
  O[ctx.thread] = i32(first + looped + last)
}

@launch(256)
kernel together(X: tensor<i32>[256], O: tensor<i32>[256], n: i32) {
  var a = 0                              //? a: uniform
  for i in range(0, n) {
    if X[i] == 3 {
      break
    }
    if X[i] == 4 {
      continue
    }
    a = a + 1
  }
  O[0] = i32(a)
}
