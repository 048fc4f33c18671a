@launch(128)
@autotune(D in [64], BR in [64, 16, 32, 48, 80, 96, 112, 128, 160, 192, 224, 256], BC in [32, 16, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256])
kernel attention(Q: tensor<f16>[N, HD], K: tensor<f16>[N, HD], V: tensor<f16>[N, HD], O: tensor<f16>[N, HD],
                 scale: f32) {
  let row = ctx.block.x * BR
  let head = ctx.block.y * D
  let q = Q[row :+ BR, head :+ D]
  let query = row + iota(BR, 1, 0)
  var acc: tile<f32>[BR, D] = 0.0
  var top: tile<f32>[BR, 1] = -1.0e30
  var total: tile<f32>[BR, 1] = 0.0
  for at in range(0, row + BR, BC) {
    let seen = at + iota(1, BC, 1) <= query
    let score = where(seen, dot_t(q, K[at :+ BC, head :+ D]) * scale, -1.0e30)
    let higher = tmax(top, rowmax(score))
    let weight = exp(score - higher)
    let keep = exp(top - higher)
    total = total * keep + rowsum(weight)
    acc = acc * keep
    acc += dot(f16(weight), V[at :+ BC, head :+ D])
    top = higher
  }
  O[row :+ BR, head :+ D] = acc / total
}
