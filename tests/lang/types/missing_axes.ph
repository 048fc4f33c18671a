// A subscript that leaves an axis out, as C's flat arrays have it.

@launch(128)
kernel flat_loads(x: tensor<f32>[M, N], y: tensor<f32>[8, 4, N], O: tensor<f32>[128]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  let a = x[i * N]                       //! error PH0207: `x` has 2 axes, and a subscript is missing   //~ fix: Change to `x[i, 0]`   //~ fix: Change to `elem(x, i * N)`
  let b = x[i * N + 3]                   //! error PH0207: a subscript is missing   //~ fix: Change to `x[i, 3]`   //~ fix: Change to `elem(x, i * N + 3)`
  let c = x[2 + N * (i + 1) + 3]         //! error PH0207: a subscript is missing   //~ fix: Change to `x[i + 1, 2 + 3]`
  let d = x[ctx.block.x]                 //! error PH0207: `N` is known at launch   //~ fix: Change to `elem(x, ctx.block.x)`   //~ fix: Change to `x[ctx.block.x, 0]`
  let e = y[i]                           //! error PH0207: `y` has 3 axes, and 2 subscripts are missing   //~ fix: Change to `elem(y, i)`   //~ fix: Change to `y[i, 0, 0]`
  let f = y[i, 2]                        //! error PH0207: `y` has 3 axes, and a subscript is missing   //~ fix: Change to `y[i, 2, 0]`
  O[ctx.thread] = a + b + c + d + e + f
}

@launch(128)
kernel flat_stores(O: tensor<f32>[M, N], P: tensor<f32>[64, 32], Q: tensor<f32>[M, N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  O[i] = 1.0                             //! error PH0302: because of `ctx.thread`; `O` has 2 axes, and a subscript is missing   //~ fix: Change to `store(O, i, 1.0)`   //~ fix: Change to `O[i, 0]`
  O[i * N + 3] = 2.0                     //! error PH0302: a subscript is missing   //~ fix: Change to `O[i, 3]`   //~ fix: Change to `store(O, i * N + 3, 2.0)`
  Q[i * N] += 3.0                        //! error PH0302: a subscript is missing   //~ fix: Change to `Q[i, 0]`
  P[i * 32 + 1] = 4.0                    //! error PH0302: a subscript is missing   //~ fix: Change to `P[i, 1]`
  O[ctx.block.x] = 5.0
}

@launch(64)
kernel whole_axes(x: tensor<f32>[2, 3, 64, D], y: tensor<f32>[64]) {
  let t = x[0, 0, 0 :+ 16, :]            //! error PH0206: a part is taken by `:+ 64`, and `@autotune(D in [64])` above the kernel makes `D` a constant   //~ fix: Declare it by `@autotune(D in [64])`
  y[0] = t[0, 0, 0, 0]
}

@launch(64)
kernel rows(x: tensor<f32>[64, 64], y: tensor<f32>[64]) {
  let i = ctx.thread
  y[i] = x[i]                            //! error PH0228: is not assigned to `y[i]` of type `f32`; `x` has 2 axes, and a subscript is missing   //~ fix: Change to `elem(x, i)`   //~ fix: Change to `x[i, 0]`
  y[i] = x[i * 64 + 5]                   //! error PH0228: a subscript is missing   //~ fix: Change to `x[i, 5]`
  var acc = 0.0
  for k in range(0, 64) { acc += x[i][k] }   //! error PH0228: an element of `x` takes its subscripts in one pair of brackets   //~ fix: Write them in one pair
  y[i] = acc
}
