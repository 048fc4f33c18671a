// sin and cos of arguments of any size: 6381956970095103 * 2^797 is the double that lies nearest to a multiple of pi / 2.
//# run x=data/angles.x.npy X=data/angles.X.npy expect sin_x=data/angles.sin_x.npy cos_x=data/angles.cos_x.npy rtol=2e-6 atol=3e-7
//# run x=data/angles.x.npy X=data/angles.X.npy expect sin_X=data/angles.sin_X.npy cos_X=data/angles.cos_X.npy rtol=1e-14
@launch(32)
kernel angles(x: tensor<f32>[N], X: tensor<f64>[M], sin_x: tensor<f32>[N], cos_x: tensor<f32>[N], sin_X: tensor<f64>[M],
              cos_X: tensor<f64>[M]) {
  sin_x[0 :+ 16] = sin(x[0 :+ 16])
  cos_x[0 :+ 16] = cos(x[0 :+ 16])
  sin_X[0 :+ 24] = sin(X[0 :+ 24])
  cos_X[0 :+ 24] = cos(X[0 :+ 24])
}
