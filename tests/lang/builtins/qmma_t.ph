// `qmma_t`: the product of block-quantised matrices, blocks of 32 along K, which may be known at launch only.
@launch(64)
kernel accepted(A: tensor<i8>[M, K], SA: tensor<f32>[M, KB], W: tensor<i8>[N, K], SW: tensor<f32>[KB, N], O: tensor<f32>[M, N], n: i32) {
  let a = qmma_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 2, 0 :+ 16])  //? a: uniform
  let b: tile<f32>[8, 16] = qmma_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[n :+ 16, :], SW[:, n :+ 16])  //? b: uniform
  var acc: tile<f32>[8, 16] = a
  acc += qmma_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[n :+ 16, :], SW[:, n :+ 16])
  O[0 :+ 8, 0 :+ 16] = acc + b
}

@launch(64)
kernel refused(A: tensor<i8>[M, K], SA: tensor<f32>[M, KB], W: tensor<i8>[N, K], SW: tensor<f32>[KB, N], X: tensor<f32>[M, K], O: tensor<f32>[M, N]) {
  let a = qmma_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :])               //! error: `qmma_t` takes 4 arguments, not 3
  let b = qmma_t(X[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :], SW[:, 0 :+ 16])  //! error: `qmma_t` takes a tile of `i8` of rank 2
  let c = qmma_t(A[0 :+ 8, :], A[0 :+ 8, :], W[0 :+ 16, :], SW[:, 0 :+ 16])   //! error: `qmma_t` takes scales as a tile of `f32`
  let d = qmma_t(A, SA[0 :+ 8, :], W[0 :+ 16, :], SW[:, 0 :+ 16])             //! error: `A` is a tensor in global memory
  let e = qmma_t(A[0 :+ 8, 0 :+ 32], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 64], SW[0 :+ 2, 0 :+ 16])  //! error: `qmma_t` contracts [8, 32] with [16, 64]
  let g = qmma_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 64], SW[0 :+ 2, 0 :+ 16])  //! error: `qmma_t` takes scales of shape [8, 2] here
  let h = qmma_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 4, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 2, 0 :+ 16])  //! error: `qmma_t` takes scales of shape [8, 2] here
  let i = qmma_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 4, 0 :+ 4])  //! error: `qmma_t` takes scales of shape [2, 16] here
  let j = qmma_t(A[0 :+ 8, 0 :+ 48], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 48], SW[0 :+ 2, 0 :+ 16])  //! error: `qmma_t` takes blocks of 32 along K
  let k = qmma_t(A[0 :+ 4, :], SA[0 :+ 4, :], W[0 :+ 16, :], SW[:, 0 :+ 16])  //! error: `qmma_t` takes rows in multiples of 8
  if ctx.lane == 0 {
    let l = qmma_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :], SW[:, 0 :+ 16])  //! error: `qmma_t` runs once per CTA
  }
}
