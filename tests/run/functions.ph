// Functions within functions; early returns, returns from loops, tiles in and out, and functions that only store.
fn clamp(x: f32, low: f32, high: f32) -> f32 {
  if x < low {
    return low
  }
  if x > high {
    return high
  }
  return x
}

fn unit(x: f32) -> f32 {
  return clamp(x, -1.0, 1.0)
}

// The first multiple of three from `n` on that is no multiple of two.
fn search(n: i32) -> i32 {
  for i in range(0, 10) {
    let candidate = n + i32(i)
    if candidate % 2 == 0 {
      continue
    }
    if candidate % 3 == 0 {
      return candidate
    }
  }
  return -1
}

fn centred(t: tile<f32>[R, C]) -> tile<f32>[R, C] {
  return t - rowsum(t) / f32(C)
}

fn scaled(t: tile<f32>[R, C], up: bool) -> tile<f32>[R, C] {
  if up {
    return centred(t) * 2.0
  } else {
    return t
  }
}

fn corner(t: tile<f32>[R, C], j: i32) -> f32 {
  return t[0, j] + t[R - 1, j]
}

fn put(O: tensor<f32>[M, N], row: i32, value: f32) {
  if value < 0.0 {
    return
  }
  O[row, ctx.thread] = value
}

//# run X=data/functions.X.npy P=zeros expect Y=data/functions.Y.npy S=data/functions.S.npy T=data/functions.T.npy P=data/functions.P.npy rtol=1e-5 atol=1e-6
@launch(64)
kernel functions(X: tensor<f32>[4, 64], Y: tensor<f32>[4, 64], S: tensor<i32>[64], T: tensor<f32>[4, 64],
                 P: tensor<f32>[4, 64]) {
  for i in range(0, 4) {
    Y[i, ctx.thread] = unit(2.0 * X[i, ctx.thread]) + unit(0.5)
  }
  S[ctx.thread] = search(i32(ctx.thread)) * 100 + search(7)
  let t = scaled(X[0 :+ 4, 0 :+ 64], true)
  T[0 :+ 4, 0 :+ 64] = scaled(t, false) + 1.0
  for i in range(0, 4) {
    put(P, i32(i), corner(t, i32(ctx.thread)) * f32(i))
  }
}
