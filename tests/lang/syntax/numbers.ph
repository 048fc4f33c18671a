// Numbers as other languages write them.

kernel grouped(A: tensor<i32>[N]) {
  let x = 1,000 //! error: the digits of a number are grouped by `_`: `1_000` //~ fix: Write `1_000`
  A[0] = 1,000,000 //! error: the digits of a number are grouped by `_`: `1_000_000` //~ fix: Write `1_000_000`
  A[1] = i32(x)
  A[2] = 1,00 //! error: unexpected `,`
}

kernel infinite(A: tensor<f32>[N]) {
  A[0] = -inf //! error: infinity has no literal; the largest `f32` is `3.4028235e38` //~ fix: Change to `3.4028235e38`
  A[1] = INFINITY //! error: infinity has no literal //~ fix: Change to `3.4028235e38`
  A[2] = float("-inf") //! error: infinity has no literal //~ fix: Write the largest `f32`
  A[3] = -float('inf') //! error: infinity has no literal //~ fix: Write the largest `f32`
  A[4] = math.inf + 1.0 //! error: there is no `math.inf` here; infinity has no literal //~ fix: Change to `3.4028235e38`
  A[5] = FLT_MAX //! error: the largest `f32` is `3.4028235e38` //~ fix: Change to `3.4028235e38`
  A[6] = math.pi //! error: it is written `3.141592653589793` //~ fix: Change to `3.141592653589793`
  A[7] = float("pi") //! error: there are no strings
}
