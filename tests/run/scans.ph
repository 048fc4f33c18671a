// Tile operations over rows and columns.
//# run X=data/scans.X.npy expect S=data/scans.S.npy T=data/scans.T.npy R=data/scans.R.npy G=data/scans.G.npy I=data/scans.I.npy rtol=1e-5 atol=1e-5
@launch(64)
kernel scans(X: tensor<f32>[16, 16], S: tensor<f32>[16, 16], T: tensor<f32>[16, 16], R: tensor<f32>[16, 3],
             G: tensor<i32>[16, 1], I: tensor<i32>[16, 16]) {
  let x = X[0 :+ 16, 0 :+ 16]
  S[0 :+ 16, :] = cumsum(x)
  T[0 :+ 16, :] = tril(transpose(x))
  R[:, 0 :+ 1] = rowsum(x)
  R[:, 1 :+ 1] = rowmax(x)
  R[:, 2 :+ 1] = rowmin(x)
  G[:, :] = rowargmax(x)
  I[:, :] = where(x > 0.0 && !(x > 1.0), iota(16, 16, 1), -iota(16, 1, 0)) * 2
}

//# run X=data/scans.X.npy expect M=data/scans.M.npy rtol=1e-5 atol=1e-6
@launch(64)
kernel functions(X: tensor<f32>[16, 16], M: tensor<f32>[14, 16]) {
  let i = ctx.thread % 16
  let x = X[1, i]
  let p = abs(x) + 0.25
  if ctx.thread < 16 {
    M[0, i] = exp(x)
    M[1, i] = log(p)
    M[2, i] = sqrt(p)
    M[3, i] = rsqrt(p)
    M[4, i] = floor(x * 3.0)
    M[5, i] = ceil(x * 3.0)
    M[6, i] = round(x * 4.0) + round(2.5) + round(-0.5)
    M[7, i] = pow(p, 1.5)
    M[8, i] = tmax(x, 0.0)
    M[9, i] = tmin(x, p)
    M[10, i] = where(x > 0.5, 1.0, x)
    M[11, i] = f32(i32(x * 10.0))
    M[12, i] = -x
    M[13, i] = f32(x > 0.0)
  }
}
