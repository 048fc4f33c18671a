kernel k(x: tensor<f32>[N], a: f32) {
  if a > 1.0:
    x[0]   =   1.0
    if a > 2.0:
      x[1] = 1.0
  else:
    x[4] = 2.0
  x[2]=3.0
  for i in range(0, 4) do
     x[i] = 1.0
  end
  while a > 1.0
    x[3] = 1.0
}
