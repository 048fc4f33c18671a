// A name that a mistake mentions is not called unused: it may be used once the mistake is mended.

kernel broken(O: tensor<f32>[N], Q: tensor<f32>[N]) {
  let a = 1
  let b = 2
  let c = true
  let d = 4                                // what is missing below may be `d`
  O[a = 1.0                                //! error PH0003: expected `]`
  Q[0] = 2.0 + ( b                         //! error PH0003: expected `)`
  if c ) {                                 //! error PH0001: unexpected `)`
  }
}

kernel refused(A: tensor<f32>[M, M], O: tensor<f32>[N]) {
  let i = 1
  let j = 2
  let k = 3
  let l = 4
  let flag = true
  let unused = 5                           //! hint PH0114: `unused` is never used
  O[0] = A[i][j]                           //! error PH0207: in one pair of brackets
  absent[k] = 1.0                          //! error PH0101: there is no `absent` here
  if any<xor 3>(flag) {                    //! error PH0226: `any` folds `over ctx.lane`   //~ fix: Fold over the lanes of the warp   //~ fix: Fold over the threads of the CTA
    O[1] = exp<xor l>(1.0)                 //! error PH0226: `exp` takes no `<…>`          //~ fix: Remove it
  }
}

kernel unfinished(A: tensor<f32>[64], B: tensor<f32>[64]) {
  let a = A[0]
  let b = B[1] +                           //! error PH0002: expected a value behind `+`
  A[1] = 1.0
  let c = 2.0 *                            //! error PH0002: expected a value behind `*`
}
