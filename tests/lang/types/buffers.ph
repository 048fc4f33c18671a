// `tile` for `tensor` and `tensor` for `tile`: the other word is offered where all that follows is right with it.

kernel subscripted(T: tile<f32>[8, 8], O: tensor<f32>[8, 8]) {   //! error PH0230: a kernel takes tensors and scalars   //~ fix: Change to `tensor`
  O[0, 0] = T[0, ctx.lane % 8]
}

kernel used_whole(T: tile<f32>[8, 8], O: tensor<f32>[8, 8]) {   //! error PH0230: a kernel takes tensors and scalars   //~ no fix
  O[:, :] = T * 2.0
}

kernel sliced(T: tile<f32>[N, 8], O: tensor<f32>[N, 8]) {   //! error PH0230: a kernel takes tensors and scalars   //~ no fix
  let t = T[:, :]
  O[0 :+ 8, :] = t
}

kernel inside(O: tensor<f32>[8, 8]) {
  var t: tensor<f32>[8, 8] = 0.0           //! error PH0230: inside of a kernel declare a `tile`   //~ fix: Change to `tile`
  O[:, :] = t
}

kernel inside_of_another_shape(O: tensor<f32>[8, 8]) {
  var t: tensor<f32>[4, 8] = 0.0           //! error PH0230: inside of a kernel declare a `tile`   //~ no fix
  O[:, :] = t
}
