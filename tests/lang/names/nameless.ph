// A declaration without its name is one mistake: the first name that is not there may be the one it lacks.

kernel lets(A: tensor<f32>[N]) {
  let = 1 //! error: expected a name, not `=`
  var : f32 = 2.0 //! error: expected a name, not `:`
  A[x] = 2.0
  A[x] = y
  A[x] = z //! error: there is no `z` here
}

kernel parameters(: tensor<f32>[N]) { //! error: expected the parameter's name, not `:`
  A[0] = 1.0
  B[0] = A[1] //! error: there is no `B` here
}
