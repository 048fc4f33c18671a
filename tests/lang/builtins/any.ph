// `any`: over the lanes of a warp or the threads of the CTA.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<bool>[64]) {
  let a = any<over ctx.lane>(F[ctx.thread])            //? a: warp-uniform
  let b = any<over ctx.thread>(X[0, ctx.thread] > 0.0) //? b: uniform
  let c = any<over ctx.lane>(true)                     //? c: warp-uniform
  if ctx.warp == 0 {
    O[ctx.thread] = any<over ctx.lane>(a && b) || c
  }
  if any<over ctx.thread>(F[ctx.thread]) {
    barrier()
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], F: tensor<bool>[64], O: tensor<bool>[64]) {
  let a = any<over ctx.lane>()                   //! error: `any` takes 1 argument, not 0
  let b = any<over ctx.lane>(X[0, 0])            //! error: `any` takes a `bool` of each thread, not `f32`
  let c = any<over ctx.lane>(F[0 :+ 4])          //! error: `any` takes a `bool` of each thread
  let d = any<down 1>(F[0])                      //! error: `any` folds `over ctx.lane` or `over ctx.thread`
  let e = any(F[0 :+ 4])                         //! error: `any` folds over lanes or threads
  if ctx.lane == 0 {
    O[0] = any<over ctx.lane>(F[0])              //! error: `any<over ctx.lane>` needs every lane of the warp
  }
  if ctx.warp == 0 {
    O[0] = any<over ctx.thread>(F[0])            //! error: `any<over ctx.thread>` needs every thread of the CTA
  }
}
