// pow of f64 where the logarithm's last place is magnified by hundreds, and where there is none.
//# run x=data/powers.x.npy y=data/powers.y.npy expect p=data/powers.p.npy rtol=1e-15 atol=0
@launch(32)
kernel powers(x: tensor<f64>[24], y: tensor<f64>[24], p: tensor<f64>[24]) {
  p[0 :+ 24] = pow(x[0 :+ 24], y[0 :+ 24])
}

// The sign of a zero.
//# run x=full:-0.0 expect y=data/powers.minus.npy
@launch(32)
kernel signed_zero(x: tensor<f32>[32], y: tensor<f32>[32]) {
  y[ctx.lane] = 1.0 / sin(x[ctx.lane])
}
