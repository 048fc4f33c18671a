__launch_bounds__(128) //! error: the launch bounds are an attribute, `@launch(64)` //~ fix: Write `@launch`
kernel k(A: tensor<i32>[N]) {
  A[0] = 1
}
