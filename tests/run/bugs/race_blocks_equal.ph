// Every CTA reads an element and then writes the same to it: what it reads depends on who was there before.
//# run P=zeros O=zeros --grid 8 --device sim expect-error "block (7, 0, 0) reads `O[0]`, which block (0, 0, 0) wrote"
@launch(32)
kernel first_come(P: tensor<f32>[8], O: tensor<f32>[1]) {
  if ctx.thread == 0 {
    P[ctx.block.x] = O[0]
    O[0] = 1.0
  }
}

// The same of whole slices.
//# run P=zeros O=zeros --grid 8 --device sim expect-error "block (7, 0, 0) reads `O[0, 0]`, which block (0, 0, 0) wrote"
@launch(32)
kernel slices(P: tensor<f32>[8, 64], O: tensor<f32>[1, 64]) {
  P[ctx.block.x :+ 1, 0 :+ 64] = O[0 :+ 1, 0 :+ 64]
  O[0 :+ 1, 0 :+ 64] = 1.0
}
