// `max`: over the lanes of a warp, over the threads of the CTA, or over a thread's own run.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[M, K], W: tensor<i32>[M, K], Q: tensor<i8>[M, K], D: tensor<f64>[M, K], O: tensor<f32>[64], V: tensor<i32>[64]) {
  let a = max<over ctx.lane>(X[0, ctx.lane])           //? a: warp-uniform
  let b = max<over ctx.thread>(X[0, ctx.thread])       //? b: uniform
  let c: i32 = max<over ctx.lane>(W[0, ctx.lane])      //? c: warp-uniform
  let d: f16 = max<over ctx.thread>(H[0, ctx.thread])  //? d: uniform
  let e: i8 = max<over ctx.lane>(Q[0, ctx.lane])       //? e: warp-uniform
  let g: f64 = max<over ctx.lane>(D[0, ctx.lane])      //? g: warp-uniform
  let h = max<over ctx.lane>(ctx.lane)                 //? h: warp-uniform
  let i: f32 = max<over ctx.lane>(1.0)                 //? i: warp-uniform
  let j = max(X[0, 0 :+ 4])                            //? j: uniform
  let k = max(X[ctx.lane, 0 :+ 16])                    //? k: varying
  let l = max(X[ctx.warp, 0 :+ 4] * X[0, 0 :+ 4] + 1.0)  //? l: warp-uniform
  let m: i32 = max(W[0 :+ 8, ctx.lane])                //? m: varying
  let n: i32 = max(Q[0, 0 :+ 8] * Q[1, 0 :+ 8])        //? n: uniform
  let o = max(elem(X[0 :+ 4, 0 :+ 4], 4 * (ctx.lane % 4) :+ 4))  //! error: the name of a tensor or tile
  if ctx.warp == 0 {
    O[ctx.thread] = max<over ctx.lane>(a + b) + f32(d) + f32(g) + i + j + k + l
  }
  if ctx.lane == 0 {
    V[ctx.thread] = max(W[0, 0 :+ 2]) + c + i32(e) + i32(h) + m + n
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<f32>[64]) {
  let a = max<over ctx.lane>()                   //! error: `max` takes 1 argument, not 0
  let b = max<over ctx.lane>(F[0])               //! error: `max` takes a number of each thread, not `bool`
  let c = max<over ctx.lane>(X[0 :+ 4, 0 :+ 4])  //! error: `max` takes a number of each thread
  let d = max<xor 1>(X[0, 0])                    //! error: `max` folds `over ctx.lane` or `over ctx.thread`
  let e = max(X[0, 0])                           //! error: `max` takes a thread's own run
  let g = max(X[0, 0], X[0, 1])               //! error: `max` takes 1 argument, not 2
  let h = max(X[0, 0 :+ 32])                     //! error: a run has at most 16 elements, not 32
  let i = max(X[0 :+ 2, 0 :+ 2])                 //! error: a thread's own run goes along one axis
  let j = max(F[0 :+ 4])                         //! error: `max` takes a run of numbers
  let k = max(X)                                 //! error: `X` is a tensor in global memory
  if ctx.lane == 0 {
    O[0] = max<over ctx.lane>(X[0, 0])           //! error: `max<over ctx.lane>` needs every lane of the warp
  }
  if ctx.warp == 0 {
    O[0] = max<over ctx.thread>(X[0, 0])         //! error: `max<over ctx.thread>` needs every thread of the CTA
  }
}

@launch(64)
kernel max_of_an_axis(x: tensor<f32>[64, 64], y: tensor<f32>[64, 1], z: tensor<f32>[1, 64]) {
  let t = x[:, :]
  y[:, :] = max(t, 1)         //! error PH0210: the rows of a tile are folded by `rowmax(t)`   //~ fix: Change to `rowmax(t)`
  z[:, :] = max(t, 0)         //! error PH0210: the columns of a tile are folded by `transpose(rowmax(transpose(t)))`; the larger of two is `tmax`   //~ fix: Change to `transpose(rowmax(transpose(t)))`
  x[:, :] = max(t, 0.5)       //! error PH0210: the larger of two is `tmax`   //~ fix: Change to `tmax`
}
