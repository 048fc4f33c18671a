// `iota`: a tile of the index along an axis; its extents and its axis are constants.
@autotune(N in [8, 32])
@launch(64)
kernel accepted(O: tensor<i32>[M, K]) {
  let a: tile<i32>[16] = iota(16)                  //? a: uniform
  let b: tile<i32>[4, 8] = iota(4, 8, 0)           //? b: uniform
  let c: tile<i32>[4, 8] = iota(4, 8, 1)           //? c: uniform
  let d: tile<i32>[2, 3, 4] = iota(2, 3, 4, 2)     //? d: uniform
  let e: tile<i32>[2, 2, 2, 2] = iota(2, 2, 2, 2, 3)  //? e: uniform
  let f = iota(ctx.threads)                        //? f: uniform
  let g: tile<i32>[N, 2] = iota(N, N / 4, 1)       //? g: uniform
  O[0 :+ 4, 0 :+ 8] = b * 8 + c + a[3] + d[0, 0, 1] + e[0, 0, 0, 1] + f[ctx.block.x] + g[0, 0]
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<i32>[M, K], n: i32) {
  let a = iota()                             //! error: `iota` takes 1 to 5 arguments, not 0
  let b = iota(M)                            //! error: `M`, an extent of `iota`, must be a compile-time constant
  let c = iota(n, 4, 0)                      //! error: must be a compile-time constant
  let d = iota(4, 8, 2)                      //! error: `iota` takes an axis from 0 to 1 as its last argument, not 2
  let e = iota(4, 8, -1)                     //! error: `iota` takes an axis from 0 to 1
  let f = iota(4, 8)                         //! error: `iota` takes an axis from 0 to 0
  let g = iota(0)                            //! error: an extent must be positive, not 0
  let h = iota(2.0)                          //! error: an integer, not `f32`
  let i = iota(2, 2, 2, 2, 2, 0)             //! error: `iota` takes 1 to 5 arguments, not 6
  let j = iota(4096, 4096, 4096, 0)          //! error: an extent must be positive
  if ctx.lane == 0 {
    O[0, 0] = iota(4)[0]                     //! error: `iota` runs once per CTA
  }
}
