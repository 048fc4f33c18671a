// A tile whose elements are a straight line of steps is computed where it is read: it is never stored, and nobody waits.
//. PTX: cvt.rn.f32.
//. PTX-NOT: st.shared
//. PTX-NOT: bar.sync
fn slope(i: i32, j: i32, scale: f32) -> f32 {
  let rise = f32(i) * scale
  return where(j > i, rise, tmax(f32(j), 1.0))
}

@launch(128)
kernel sloped(X: tensor<f32>[M, K], O: tensor<f32>[M, K], scale: f32) {
  let t: tile<f32>[32, 32] = generate(slope, scale)
  O[0 :+ 32, 0 :+ 32] = X[0 :+ 32, 0 :+ 32] * t
}
