// A variable has one kind for its whole life: of all that is assigned to it, and of the control of each assignment.

@launch(256)
kernel by_values(X: tensor<i32>[256], O: tensor<i32>[256]) {
  var a = 0                              //? a: varying
  let before = a + 1                     //? before: varying
  a = ctx.lane                           //~ reason: `a` is assigned a value that differs between lanes   //~ reason: `ctx.lane` is a different number in each lane
  var b = ctx.warp                       //? b: warp-uniform   //~ reason: `b` starts as a value that differs between warps   //~ reason: `ctx.warp` is a different number in each warp
  b = 3
  var c = 0                              //? c: warp-uniform
  c = b * 0
  var d = 0                              //? d: uniform
  d = d + ctx.block.x
  d += 3
  O[ctx.thread] = i32(a + before + b + c + d)
}

@launch(256)
kernel by_control(X: tensor<i32>[256], O: tensor<i32>[256], n: i32) {
  var a = 0                              //? a: varying
  if X[ctx.thread] > 3 {                 //~ reason: this `if` condition differs between lanes   //~ reason: `X[ctx.thread]` is loaded at an index that differs between lanes
    a = 1                                //~ reason: `a` is assigned under control that differs between lanes
  }
  var b = 0                              //? b: uniform
  if n > 3 {
    b = 1
  } else if n > 2 {
    b = 2
  }
  if ctx.lane == 0 {
    let c = b + 1                        //? c: uniform
    var d = 2                            //? d: uniform
    var e = 2                            //? e: varying
    e = 3
    O[c] = i32(d + e)
  }
  var f = 0                              //? f: warp-uniform
  for i in range(0, n) {
    if i == 3 && ctx.warp == 1 {
      f = 1                              //~ reason: `f` is assigned under control that differs between warps
    }
  }
  O[ctx.thread] = i32(a + b + f)
}

@launch(256)
kernel through_a_chain(O: tensor<i32>[256]) {
  var a = 0                              //? a: varying
  var b = 0                              //? b: varying
  var c = 0                              //? c: varying
  var d = 0                              //? d: varying
  for i in range(0, 8) {
    d = c                                //~ reason: `d` is assigned a value that differs between lanes
    c = b                                //~ reason: `c` is assigned a value that differs between lanes
    b = a                                //~ reason: `b` is assigned a value that differs between lanes
    a = ctx.lane
  }
  O[ctx.thread] = i32(a + b + c + d)
}

@launch(256)
kernel each_a_little(X: tensor<i32>[N], O: tensor<i32>[256]) {
  var x = 0                              //? x: varying
  var y = 0                              //? y: warp-uniform
  var z = 0                              //? z: uniform
  while x < 100 {
    x = x + y + ctx.lane
  }
  while y < 100 {
    y = y + z + ctx.warp
  }
  while z < 100 {
    z = z + N
  }
  O[ctx.thread] = i32(x + y + z)
}

@launch(256)
kernel shadows(O: tensor<i32>[256]) {
  let x = ctx.lane                       //? x: varying
  if ctx.block.x == 0 {
    let x = 3                            //? x: uniform
    O[x] = 1
  }
  O[x] = 2
}
