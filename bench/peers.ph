// What bench/peers.cpp runs: the first ones are lane code, each thread on its own as in the loops of plain.c.

@launch(256)
kernel saxpy(x: tensor<f32>[N], y: tensor<f32>[N], a: f32) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i < N {
    y[i] = a * x[i] + y[i]
  }
}

// How often z = z² + c stays small, up to 256 times, of the points of a square.
@launch(256)
kernel mandelbrot(O: tensor<i32>[N, N]) {
  let at = ctx.block.x * ctx.threads + ctx.thread
  if at < N * N {
    let cx = -2.0 + 3.0 * f32(at % N) / f32(N)
    let cy = -1.5 + 3.0 * f32(at / N) / f32(N)
    var x = 0.0
    var y = 0.0
    var n = i32(0)
    while n < 256 && x * x + y * y < 4.0 {
      let next = x * x - y * y + cx
      y = 2.0 * x * y + cy
      x = next
      n += 1
    }
    O[at / N, at % N] = n
  }
}

// Sums of columns: a thread a column.
@launch(256)
kernel columns(X: tensor<f32>[N, N], O: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i < N {
    var total = 0.0
    for r in range(0, N) {
      total += X[r, i]
    }
    O[i] = total
  }
}

// All threads in a row at a time.
@launch(256)
kernel outer(x: tensor<f32>[N], O: tensor<f32>[N, N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i < N {
    let v = x[i]
    for r in range(0, N) {
      O[r, i] = v * x[r]
    }
  }
}

// The same, each thread along its own row: what is stored together is a column.
@launch(256)
kernel outer_by_columns(x: tensor<f32>[N], O: tensor<f32>[N, N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i < N {
    let v = x[i]
    for r in range(0, N) {
      O[i, r] = v * x[r]
    }
  }
}

@launch(128)
kernel gemm(A: tensor<f32>[N, N], B: tensor<f32>[N, N], C: tensor<f32>[N, N]) {
  let row = ctx.block.y * 64
  let col = ctx.block.x * 64
  var acc: tile<f32>[64, 64] = 0.0
  for k in range(0, N, 64) {
    acc += dot(A[row :+ 64, k :+ 64], B[k :+ 64, col :+ 64])
  }
  C[row :+ 64, col :+ 64] = acc
}
