fn twice(v: f32) -> f32 {
 //^^^^^ rename double refused: `broken` has a syntax error
       //^ rename x: 1:10-1:11 4:10-4:11
  return v * 2.0
}

kernel broken(x: tensor<f32>[N]) {
                           //^ rename M refused: `broken` has a syntax error
  x[0] = twice(1.0
}
