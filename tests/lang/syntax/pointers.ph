// What is a pointer or a list elsewhere is a tensor, of as many axes as it has subscripts.

kernel pointers(A: float*, B: *const f32, C: &f32, n: &i32) {   //! error: there are no pointers   //~ fix: Write `tensor<f32>[N, N2]`   //! error: there are no pointers and no references   //~ fix: Write `tensor<f32>[N]`   //! error: there are no pointers and no references   //~ fix: Write `tensor<f32>[N, N2, N3]`   //! error: there are no pointers and no references   //~ fix: Write `i32`
  A[0, 1] = B[0] + C[0, 1, 2] + f32(n)
}

kernel lists(A: f32[], B: [f32], C: tensor<f32>[], D: tensor<f32>[?, 4]) {   //! error: a tensor's type is written   //~ fix: Write `tensor<f32>[N, N2]`   //! error: a tensor's type is written   //~ fix: Write `tensor<f32>[N, N2]`   //! error: expected a dimension   //~ fix: Write `N, N2`   //! error: expected a dimension   //~ fix: Write `N`
  A[0, 0] = B[0, extent(D, 0)] + C[i32(A[0, 0]), 1] + D[0, 0]
}

kernel as_in_c(float* A, const int n) {            //! error: a parameter is written `name: type`   //~ fix: Write `A: tensor<f32>[N, N2]`   //! error: a parameter is written `name: type`   //~ fix: Write `n: i32`
  A[0, n] = 1.0
}
