// `qdot_t`: the product of block-quantised matrices, blocks of 32 along K, which may be known at launch only.
@launch(64)
kernel accepted(A: tensor<i8>[M, K], SA: tensor<f32>[M, KB], W: tensor<i8>[N, K], SW: tensor<f32>[N, KB], O: tensor<f32>[M, N], n: i32) {
  let a = qdot_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 16, 0 :+ 2])  //? a: uniform
  let b: tile<f32>[8, 16] = qdot_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[n :+ 16, :], SW[n :+ 16, :])  //? b: uniform
  var acc: tile<f32>[8, 16] = a
  acc += qdot_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[n :+ 16, :], SW[n :+ 16, :])
  O[0 :+ 8, 0 :+ 16] = acc + b
}

@launch(64)
kernel refused(A: tensor<i8>[M, K], SA: tensor<f32>[M, KB], W: tensor<i8>[N, K], SW: tensor<f32>[N, KB], X: tensor<f32>[M, K], O: tensor<f32>[M, N]) {
  let a = qdot_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :])               //! error: `qdot_t` takes 4 arguments, not 3
  let b = qdot_t(X[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :], SW[0 :+ 16, :])  //! error: `qdot_t` takes a tile of `i8` of rank 2
  let c = qdot_t(A[0 :+ 8, :], A[0 :+ 8, :], W[0 :+ 16, :], SW[0 :+ 16, :])   //! error: `qdot_t` takes scales as a tile of `f32`
  let d = qdot_t(A, SA[0 :+ 8, :], W[0 :+ 16, :], SW[0 :+ 16, :])             //! error: `A` is a tensor in global memory
  let e = qdot_t(A[0 :+ 8, 0 :+ 32], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 64], SW[0 :+ 16, 0 :+ 2])  //! error: `qdot_t` contracts [8, 32] with [16, 64]
  let g = qdot_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 64], SW[0 :+ 16, 0 :+ 2])  //! error: `qdot_t` takes scales of shape [8, 2] here
  let h = qdot_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 4, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 16, 0 :+ 2])  //! error: `qdot_t` takes scales of shape [8, 2] here
  let i = qdot_t(A[0 :+ 8, 0 :+ 64], SA[0 :+ 8, 0 :+ 2], W[0 :+ 16, 0 :+ 64], SW[0 :+ 4, 0 :+ 4])  //! error: `qdot_t` takes scales of shape [16, 2] here
  let j = qdot_t(A[0 :+ 8, 0 :+ 48], SA[0 :+ 8, 0 :+ 1], W[0 :+ 16, 0 :+ 48], SW[0 :+ 16, 0 :+ 2])  //! error: `qdot_t` takes blocks of 32 along K
  if ctx.lane == 0 {
    let l = qdot_t(A[0 :+ 8, :], SA[0 :+ 8, :], W[0 :+ 16, :], SW[0 :+ 16, :])  //! error: `qdot_t` runs once per CTA
  }
}
