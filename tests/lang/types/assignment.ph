// What is assigned to what.

kernel conversions(n: i32, w: i64, x: f32, flag: bool, A: tensor<f32>[8, 8], I: tensor<i32>[8], F: tensor<bool>[8]) {   //~ related: `I` is a `tensor<i32>[8]`
  I[0] = x                                 //! error PH0204: write `i32(x)`               //~ fix: Convert to `i32`
  I[1] = ctx.threads                       //! error PH0204: write `i32(ctx.threads)`     //~ fix: Convert to `i32`
  I[2] = (n + w)                           //! error PH0204: `i64` is not assigned to `i32` without a conversion   //~ fix: Convert to `i32`
  I[3] = 2.5                               //! error PH0204: write `i32(2.5)`             //~ fix: Convert to `i32`
  I[4] += x                                //! error PH0204: write `I[4] = i32(I[4] + x)` //~ fix: Write the conversion
  I[5] *= x + 1.0                          //! error PH0204: write `I[5] = i32(I[5] * (x + 1.0))`   //~ fix: Write the conversion
  A[0, 0] = n                              //! error PH0204: write `f32(n)`               //~ fix: Convert to `f32`
  F[0] = n                                 //! error PH0228: `i32` is not assigned to `F[0]` of type `bool`   //~ fix: Convert to `bool`
  F[1] = 1                                 //! error PH0228: `index` is not assigned to `F[1]`   //~ fix: Convert to `bool`
  A[0, 1] = flag                           //! error PH0228: `bool` is not assigned to `A[0, 1]` of type `f32`   //~ fix: Convert to `f32`
  var v: i32 = 0                           //~ related: `v` is an `i32`
  v = x                                    //! error PH0204: write `i32(x)`               //~ fix: Convert to `i32`
  v += 1.5                                 //! error PH0204: write `v = i32(v + 1.5)`     //~ fix: Write the conversion
  var k = 0
  var j = 0
  j = x                                    //! error PH0204: `f32` is not assigned to `j`, a whole number, without a conversion: write `i64(x)`; started at `0.0`, `j` is an `f32`   //~ fix: Start `j` at `0.0`
  var l = -2
  l += x                                   //! error PH0204: started at `-2.0`, `l` is an `f32`   //~ fix: Start `l` at `-2.0`
  k = flag                                 //! error PH0228: `bool` is not assigned to `k` of type `index`   //~ fix: Convert to `i64`
  let _a: f32 = n                          //! error PH0204: write `f32(n)`               //~ related: `_a` is declared as this
  I[6] = v + i32(k)
}

kernel shapes(x: f32, A: tensor<f32>[M, N], O: tensor<f32>[M, N], R: tensor<f32>[16, 1]) {
  let t = A[0 :+ 8, 0 :+ 16]
  var u: tile<f32>[8, 16] = 0.0
  u = A[0 :+ 16, 0 :+ 8]                   //! error PH0205: a value of shape [16, 8] does not fit a target of shape [8, 16]   //~ fix: Transpose the value
  u = A[0 :+ 4, 0 :+ 16]                   //! error PH0205: a value of shape [4, 16] does not fit a target of shape [8, 16]   //~ no fix
  O[0 :+ 16, 0 :+ 8] = t                   //! error PH0205: [8, 16] does not fit a target of shape [16, 8]   //~ fix: Transpose the value
  O[0 :+ 8, 0 :+ 1] = t * 2.0              //! error PH0205: [8, 16] does not fit a target of shape [8, 1]   //~ fix: Sum its rows   //~ fix: Take the largest of each row
  let _s: tile<f32>[8, 1] = t              //! error PH0205: [8, 16] does not fit         //~ fix: Sum its rows
  O[0, 0] = t                              //! error PH0228: `tile<f32>[8, 16]` is not assigned to `O[0, 0]` of type `f32`   //~ no fix
  let m = A[0 :+ 1, 0 :+ 1]
  O[0, 0] = m                              //! error PH0228: `tile<f32>[1, 1]` is not assigned   //~ fix: Take its one element
  let _f: f32 = m                          //! error PH0228: `tile<f32>[1, 1]` is not assigned to `_f` of type `f32`   //~ fix: Take its one element
  u += A[0 :+ 3, 0 :+ 16]                  //! error PH0203: shapes [8, 16] and [3, 16]
  O[0 :+ 8, 0 :+ 16] = u
}

kernel declarations(n: i32, A: tensor<f32>[M, N], O: tensor<f32>[M, N]) {   //~ related: `M` is bound here   //~ related: `n` is declared here
  var x: f32                               //! error PH0219: `x` needs an initial value   //~ fix: Start at `0.0`
  var k: i32                               //! error PH0219: `k` needs an initial value   //~ fix: Start at `0`
  var b: bool                              //! error PH0219: `b` needs an initial value   //~ fix: Start at `false`
  var t: tile<f32>[M, 4]                   //! error PH0220: `M` is known only at launch
  var u: tile<f32>[n, 4]                   //! error PH0220: `n` is known only at launch
  let at = ctx.block.x
  var v: tile<f32>[at, 4]                  //! error PH0220: `at` is known only when the kernel runs
  var w: tile<f32>[1, 2, 3, 4, 5]          //! error PH0222: has rank 5; ranks are 1 to 4
  var y: tensor<f32>[4, 4]                 //! error PH0230: inside of a kernel declare a `tile`   //~ fix: Change to `tile`
  O[0, 0] = x + f32(k) + f32(b) + t[0, 0] + u[0, 0] + v[0, 0] + y[0, 0] + w[0, 0, 0, 0, 0]
}

kernel takes_a_tile(t: tile<f32>[4, 4], n: i32, A: tensor<f32>[n, 4]) {   //! error PH0230: a kernel takes tensors and scalars   //~ fix: Change to `tensor`   //! error PH0116: `n` is a parameter, not the name of a dimension
  A[0, 0] = t[0, 0]
}
kernel of_rank_5(A: tensor<f32>[A1, B1, C1, D1, E1], O: tensor<i32>[8]) {   //! error PH0222: `A` has rank 5
  O[0] = i32(A1 + E1)
}
kernel of_no_type(A: tensor<float>[M, K], O: tensor<f32>[M, K]) {   //! error PH0201: there is no type `float`   //~ fix: Change to `f32`
  O[0, 0] = A[M - 1, K - 1]
}

@launch(64)
kernel stretched(x: tensor<f32>[64], y: tensor<f32>[16, 1]) {
  var t: tile<f32>[16, 32] = 0.0
  t = y[:]                    //! error PH0205: does not fit a target of shape [16, 32]; a store stretches it   //~ fix: Store to all of it
  x[0] = t[0, 0]
}
