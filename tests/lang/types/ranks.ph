// A point keeps its axis in a slice, so that a slice of four axes is a tile of rank 4: the message says what to declare.

kernel heads(Q: tensor<f32>[B, H, S, 64], O: tensor<f32>[S, 64], P: tensor<f32>[64, 32], b: i32, h: i32) {
  let t = Q[b, h, 32 :+ 32, :]
  O[0 :+ 32, :] = Q[b, h + 1, 32 :+ 32, :]       //! error PH0205: declare `Q` with its first 3 axes as one, and start at `(b * H + (h + 1)) * S + 32`
  let u = dot(t, P[:, :])                        //! error PH0211: declare `Q` with its first 3 axes as one, and start at `(b * H + h) * S + 32`
  let v = rowsum(Q[b :+ 2, h, 32 :+ 32, :])      //! error PH0211: `rowsum` takes a tile of rank 2, not `tile<f32>[2, 1, 32, 64]`
  var w: tile<f32>[32, 64] = Q[b, h, 0 :+ 32, :] //! error PH0205: start at `(b * H + h) * S`
  O[0 :+ 32, :] = w
  O[0, 0] = u[0, 0] + v[0, 0]
}

// As it is said.
kernel rows(Q: tensor<f32>[R, 64], O: tensor<f32>[S, 64], b: i32, h: i32, heads: i32, length: i32) {
  O[0 :+ 32, :] = Q[(b * heads + h) * length + 32 :+ 32, :]
}
