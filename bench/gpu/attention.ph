// Attention without a mask, every row of Q looking at all rows of K and V: the plain form, which `peers.py` holds against the libraries.
// A row holds one token, its heads side by side, so many columns each. 64 rows for each 128 threads.
@launch(384)
kernel attention_64(Q: tensor<f16>[N, HD], K: tensor<f16>[N, HD], V: tensor<f16>[N, HD], O: tensor<f16>[N, HD], scale: f32) {
  let row = ctx.block.x * 192
  let head = ctx.block.y * 64
  let q = Q[row :+ 192, head :+ 64]
  var acc: tile<f32>[192, 64] = 0.0
  var top: tile<f32>[192, 1] = -1.0e30
  var total: tile<f32>[192, 1] = 0.0
  for at in range(0, N, 128) {
    let inside = at + iota(1, 128, 1) < N
    let score = where(inside, dot_t(q, K[at :+ 128, head :+ 64]) * scale, -1.0e30)
    let higher = tmax(top, rowmax(score))
    let weight = exp(score - higher)
    let keep = exp(top - higher)
    total = total * keep + rowsum(weight)
    acc = acc * keep
    acc += dot(f16(weight), V[at :+ 128, head :+ 64])
    top = higher
  }
  O[row :+ 192, head :+ 64] = acc / total
}

@launch(256)
kernel attention_128(Q: tensor<f16>[N, HD], K: tensor<f16>[N, HD], V: tensor<f16>[N, HD], O: tensor<f16>[N, HD], scale: f32) {
  let row = ctx.block.x * 128
  let head = ctx.block.y * 128
  let q = Q[row :+ 128, head :+ 128]
  var acc: tile<f32>[128, 128] = 0.0
  var top: tile<f32>[128, 1] = -1.0e30
  var total: tile<f32>[128, 1] = 0.0
  for at in range(0, N, 128) {
    let inside = at + iota(1, 128, 1) < N
    let score = where(inside, dot_t(q, K[at :+ 128, head :+ 128]) * scale, -1.0e30)
    let higher = tmax(top, rowmax(score))
    let weight = exp(score - higher)
    let keep = exp(top - higher)
    total = total * keep + rowsum(weight)
    acc = acc * keep
    acc += dot(f16(weight), V[at :+ 128, head :+ 128])
    top = higher
  }
  O[row :+ 128, head :+ 128] = acc / total
}
