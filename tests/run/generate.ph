// Tiles generated from a function of the indices: straight lines, branches, loops, loads at the indices, tiles of rank 1 to 3.
fn plane(i: i32, j: i32, scale: f32, shift: f32) -> f32 {
  let x = f32(i) * scale
  var y = x - f32(j) / 4.0
  y += shift
  return where(i == j || j > 12, y, tmax(y, 0.5) * scale)
}

fn square(x: i64) -> i64 {
  return x * x
}

fn band(i: i64, j: u8) -> i64 {
  return square(i - i64(j)) % 7
}

fn distance(i: i32, j: i32, most: i32) -> i32 {
  if i > j {
    return tmin(i - j, most)
  }
  var steps = 0
  var at = i64(i)
  while at < i64(j) {
    at += 2
    steps += 1
    if steps > 5 {
      break
    }
  }
  return -i32(steps)
}

fn gathered(i: i32, j: i32, X: tensor<f32>[M, N], t: tile<f32>[R, C], n: i32) -> f32 {
  var total = t[i % i32(R), j % i32(C)]
  for k in range(0, i64(n)) {
    total += X[(i64(i) + k) % M, j]
  }
  return total
}

fn row(i: i32) -> f16 {
  return f16(f32(i) * 0.25)
}

fn cube(i: i32, j: i32, k: i32) -> bool {
  return (i + j) % 2 == 0 && k != j
}

fn halves(i: i8, from: f32) -> tile<f32>[16, 16] {
  let t: tile<f32>[16, 16] = generate(plane, from, 0.0)
  return t * 0.5
}

//# run X=data/generate.X.npy scale=0.75 n=3 P=zeros expect P=data/generate.P.npy A=data/generate.A.npy B=data/generate.B.npy D=data/generate.D.npy G=data/generate.G.npy H=data/generate.H.npy C=data/generate.C.npy rtol=1e-5 atol=1e-6
@launch(64)
kernel generated(X: tensor<f32>[12, 24], P: tensor<f32>[16, 16], A: tensor<f32>[4, 16], B: tensor<i64>[8, 8],
                 D: tensor<i32>[12, 12],
                 G: tensor<f32>[8, 24], H: tensor<f16>[40], C: tensor<i32>[1, 2, 3, 4], scale: f32, n: i32) {
  let p: tile<f32>[16, 16] = generate(plane, scale, 1.0)
  P[0 :+ 16, 0 :+ 16] = p + halves(3, scale)
  var b: tile<i64>[8, 8] = generate(band)
  B[0 :+ 8, 0 :+ 8] = b
  let d: tile<i32>[12, 12] = generate(distance, 4)
  D[0 :+ 12, 0 :+ 12] = d
  var g: tile<f32>[8, 24] = generate(gathered, X, X[0 :+ 3, 0 :+ 5], n)
  G[0 :+ 8, 0 :+ 24] = g
  for step in range(0, 3) {
    g = generate(gathered, X, g, i32(step))
    G[0 :+ 8, 0 :+ 24] += g
  }
  var a: tile<f32>[4, 16] = generate(plane, 2.0, 0.25)
  a[ctx.thread / 16, ctx.thread % 16] += 1.0
  A[ctx.thread / 16, ctx.thread % 16] = a[ctx.thread / 16, ctx.thread % 16]
  let h: tile<f16>[40] = generate(row)
  H[0 :+ 40] = h
  let c: tile<bool>[2, 3, 4] = generate(cube)
  C[0, :, :, :] = where(c, 1, -1)
}
