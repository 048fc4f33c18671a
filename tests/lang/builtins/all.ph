// `all`: over the lanes of a warp or the threads of the CTA.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<bool>[64]) {
  let a = all<over ctx.lane>(F[ctx.thread])            //? a: warp-uniform
  let b = all<over ctx.thread>(X[0, ctx.thread] > 0.0) //? b: uniform
  let c = all<over ctx.lane>(true)                     //? c: warp-uniform
  if ctx.warp == 0 {
    O[ctx.thread] = all<over ctx.lane>(a && b) || c
  }
  if all<over ctx.thread>(F[ctx.thread]) {
    barrier()
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<bool>[64]) {
  let a = all<over ctx.lane>()                   //! error: `all` takes 1 argument, not 0
  let b = all<over ctx.lane>(X[0, 0])            //! error: `all` takes a `bool` of each thread, not `f32`
  let c = all<over ctx.lane>(F[0 :+ 4])          //! error: `all` takes a `bool` of each thread
  let d = all<down 1>(F[0])                      //! error: `all` folds `over ctx.lane` or `over ctx.thread`
  let e = all(F[0 :+ 4])                         //! error: `all` folds over lanes or threads
  if ctx.lane == 0 {
    O[0] = all<over ctx.lane>(F[0])              //! error: `all<over ctx.lane>` needs every lane of the warp
  }
  if ctx.warp == 0 {
    O[0] = all<over ctx.thread>(F[0])            //! error: `all<over ctx.thread>` needs every thread of the CTA
  }
}
