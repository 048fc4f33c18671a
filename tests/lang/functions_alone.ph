// A function by itself is told only what no call can mend.
fn head(X: tensor<f32>[N], n: i32) -> f32 {
  let part = X[0 :+ n]
  return part[0]
}

fn sized(X: tensor<f32>[R, C], rows: i32) -> f32 {
  let twice = rows + rows
  var t: tile<f32>[rows, 4] = X[0 :+ rows, 0 :+ 4]
  t = t + X[0 :+ rows, 0 :+ 4]
  let run = sum(X[0, 0 :+ twice])
  return t[0, 0] + run
}

fn product(a: tile<f32>[M, K], b: tile<f32>[L, N]) -> tile<f32>[M, N] {
  return dot(a, b)
}

fn never(a: tile<f32>[4, 8], b: tile<f32>[4, 8]) -> tile<f32>[4, 4] {
  return dot(a, b) //! error: contracts
}

@launch(32)
kernel k(A: tensor<f32>[M, N], O: tensor<f32>[M, N]) {
  let y = sized(A, 4)
  let p = product(A[0 :+ 8, 0 :+ 4], A[0 :+ 4, 0 :+ 8])
  let q = product(A[0 :+ 8, 0 :+ 4], A[0 :+ 8, 0 :+ 8])  //! error: contracts [8, 4] with [8, 8]
  O[0 :+ 8, 0 :+ 8] = p + y
}
