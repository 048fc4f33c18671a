// `elem`: an element, or a run, at a row-major position of a tensor or a tile; each thread on its own.
@launch(64)
kernel accepted(X: tensor<f32>[8, 8], Q: tensor<i8>[8, 8], F: tensor<bool>[64], O: tensor<f32>[64], n: i32) {
  let t = X[0 :+ 8, 0 :+ 8]
  let a = elem(t, ctx.thread)                  //? a: varying
  let b = elem(X, 3)                           //? b: uniform
  let c = elem(t, ctx.warp * 8)                //? c: warp-uniform
  let d = elem(t, n)                           //? d: uniform
  let e: i8 = elem(Q, 2 * n)                   //? e: uniform
  let f: bool = elem(F, ctx.thread)            //? f: varying
  let g = sum(elem(t, 4 * (ctx.thread % 16) :+ 4))  //? g: varying
  let h = max(elem(X, 0 :+ 16) * 2.0)          //? h: uniform
  let i: i32 = sum(elem(Q, 0 :+ 4) * elem(Q, 4 :+ 4))  //? i: uniform
  if ctx.lane == 0 {
    O[ctx.thread] = elem(t, ctx.warp) + a + b + c + d + f32(e) + f32(f) + g + h + f32(i)
  }
}

@launch(64)
kernel refused(X: tensor<f32>[8, 8], O: tensor<f32>[64], n: i32) {
  let t = X[0 :+ 8, 0 :+ 8]
  let a = elem(t)                              //! error: `elem` takes 2 arguments, not 1
  let b = elem(t, 1, 2)                        //! error: `elem` takes 2 arguments, not 3
  let c = elem(t, 1.5)                         //! error: an integer, not `f32`
  let d = elem(n, 1)                           //! error: `elem` takes the name of a tensor or tile
  let e = elem(X[0 :+ 8, 0 :+ 8], 1)           //! error: `elem` takes the name of a tensor or tile
  let f = elem(t, 0 :+ 4)                      //! error: a run is used inside of `sum`, `max`, `min` or `store`
  let g = sum(elem(t, 0 :+ 17))                //! error: a run has at most 16 elements, not 17
  let h = sum(elem(t, 0 :+ n))                 //! error: the length of a run, `n`, must be a compile-time constant
  let i = sum(elem(t, 0 :+ 0))                 //! error: an extent must be positive, not 0
  let j = elem<up 1>(t, 3)                     //! error: `elem` takes no `<…>`
  let _k = elem(t, 64)                         //! warning PH0234: `t` has no element at position 64: it has 64
  let _l = elem(X, -1)                         //! warning PH0234: `X` has no element at position -1
}
