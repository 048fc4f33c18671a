// Subscripts and slices.

kernel subscripts(n: i32, x: f32, A: tensor<f32>[M, N], T: tensor<f32>[4, 8], Out: tensor<f32>[8]) {   //~ related: `n` is an `i32`
  let i = ctx.block.x
  Out[0] = A[0, 0, 0]                      //! error PH0207: 3 subscripts for `A`, which has 2 axes
  Out[1, 1] = 1.0                          //! error PH0207: 2 subscripts for `Out`, which has 1 axis
  Out[2] = x[0]                            //! error PH0208: `x` is an `f32`, which has no elements to subscript
  Out[3] = n[0, 1]                         //! error PH0208: `n` is an `i32`
  Out[x] = 1.0                             //! error PH0209: a subscript is an integer, not `f32`   //~ fix: Convert to `i32`
  Out[4] = A[0, x * 2.0]                   //! error PH0209: a subscript is an integer, not `f32`   //~ fix: Convert to `i32`
  Out[5] = A[0, n > 1]                     //! error PH0209: a subscript is an integer, not `bool`  //~ fix: Convert to `i32`
  let _a = A[0 :+ n, 0 :+ 4]               //! error PH0206: the length of a slice, `n`, must be a compile-time constant
  let _b = A[i : n, 0 :+ 4]                //! error PH0206: the length of the slice `i : n` must be a compile-time constant
  let _c = A[:, 0 :+ 4]                    //! error PH0206: the extent `M` of a tile must be a compile-time constant
  let _d = sum(T[0, 0 :+ 32])              //! error PH0227: a run has at most 16 elements, not 32
  let _e = T[0 :+ 2, 0 :+ 2][1, 1]
  Out[6] = A[i][0]                         //! error PH0207: an element of `A` takes its subscripts in one pair of brackets   //~ fix: Write them in one pair
  Out[7] = T[0][0]                         //! error: `tile<f32>[1, 8]` is not assigned
  let _f = ctx.block[1]                    //! error PH0107: needs an axis                //~ fix: Change to `ctx.block.y`
  let _g = A.shape[1]                      //! error PH0111: `A` has no fields            //~ fix: Change to `extent(A, 1)`
  let a = A[0 :+ 8, 0 :+ 4]
  let _h = dot(a, a)                       //! error PH0212: `dot` contracts [8, 4] with [8, 4]: 4 and 8 are not the same   //~ fix: Change to `dot_t`
  let _i = dot_t(a, A[0 :+ 4, 0 :+ 16])    //! error PH0212: `dot_t` contracts            //~ fix: Change to `dot`
}
