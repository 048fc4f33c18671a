// Control that differs between threads: branches in branches, loops left in the middle, values that meet again behind them.
//# run X=data/divergence.X.npy --grid 2 expect A=data/divergence.A.npy B=data/divergence.B.npy C=data/divergence.C.npy D=data/divergence.D.npy rtol=0
@launch(64)
kernel divergence(X: tensor<i32>[2, 64], A: tensor<i32>[2, 64], B: tensor<i32>[2, 64], C: tensor<i32>[2, 64],
                  D: tensor<i32>[2, 64]) {
  let b = ctx.block.x
  let x = X[b, ctx.thread]

  // Three ways, one of them two ways again.
  var a: i32 = 0
  if x < 20 {
    a = 1
    if x % 2 == 0 {
      a = 2
    }
  } else if x < 60 {
    a = x
  } else {
    let doubled = x * 2
    a = doubled
  }
  A[b, ctx.thread] = a

  // Leaves the inner loop, skips in the outer one; the inner loop's bound is the thread's own.
  var sum: i32 = 0
  for i in range(0, 6) {
    if (x + i32(i)) % 3 == 0 {
      continue
    }
    var steps: i32 = 0
    for j in range(0, x % 7) {
      if j == 4 {
        break
      }
      steps += 1
    }
    sum = sum * 2 + steps
  }
  B[b, ctx.thread] = sum

  // Warps go different ways; within one of them the lanes do.
  var c: i32 = 100
  if ctx.warp == 1 {
    c = c + 1
    if ctx.lane >= 16 {
      c = c + i32(ctx.lane)
    }
  }
  C[b, ctx.thread] = c

  // A loop that every way out leaves; then only some threads are left.
  var n = x
  while true {
    n += 7
    if n > 150 {
      break
    }
    if n % 5 == 0 {
      n = -n
      break
    }
  }
  D[b, ctx.thread] = n
  if n < 0 {
    return
  }
  D[b, ctx.thread] = n * 10
}
