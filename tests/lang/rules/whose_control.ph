// What keeps threads away, and the repairs of that.

@launch(64)
kernel first_warp(x: tensor<f32>[64]) {
  if ctx.thread / 32 == 0 {                        //~ related: this is `ctx.warp`, which is the same in all of a warp's lanes
    let s = sum<over ctx.lane>(x[ctx.thread])      //! error PH0304: needs every lane of the warp   //~ fix: Change to `ctx.warp`
    x[ctx.thread] = s
  }
}

@launch(64)
kernel alone(x: tensor<f32>[64]) {
  if ctx.lane == 3 { barrier() }                   //! error PH0301: `barrier()` runs once per CTA   //~ fix: Take this out of the `if`
  x[ctx.thread] = 1.0
}

@launch(64)
kernel many(O: tensor<f32>[M]) {
  if ctx.lane == 0 {
    O[0 :+ 4] = 1.0                                //! error PH0301: the store to `O`
    O[4 :+ 4] = 1.0                                //! error PH0301: the store to `O`
    O[8 :+ 4] = 1.0                                //! error PH0301: the store to `O`
    O[12 :+ 4] = 1.0                               //! error PH0301: the store to `O`
    O[16 :+ 4] = 1.0                               //~ related: the store to `O` does so too
    O[20 :+ 4] = 1.0                               //~ related: the store to `O` does so too
  }
}
