// Causal attention: each row of Q looks at the rows of K and V up to its own.
//
// A row holds one token, its heads side by side, D columns each. A CTA takes BR rows of one head and walks over the keys in
// blocks of BC, never holding more than a BR x BC piece of the scores. As in `softmax.ph` the maximum and the sum are kept as
// they go, and when a block raises the maximum, what has been accumulated so far is scaled down to it.
//
// `iota` numbers rows and columns; comparing a column of row numbers with a row of column numbers gives the causal mask. Keys
// past the end of K read as 0 and are masked with it, since no query that is stored comes after them.
//# run Q=data/attention.Q.npy K=data/attention.K.npy V=data/attention.V.npy scale=0.125 expect O=data/attention.O.npy rtol=4e-3 atol=2e-3
//# run Q=data/attention.Q.npy K=data/attention.K.npy V=data/attention.V.npy scale=0.125 BR=32 BC=64 expect O=data/attention.O.npy rtol=4e-3 atol=2e-3
@launch(THREADS)
@autotune(D in [64], THREADS in [128, 256, 384], BR in [64, 32, 128, 192], BC in [32, 64, 128])
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
