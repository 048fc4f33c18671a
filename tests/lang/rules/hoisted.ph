// Rules 1 and 4: a fold or a shuffle that nothing keeps inside of its `if` is moved out of it.

kernel hoisted(O: tensor<f32>[64], n: i32) {
  let v = f32(ctx.lane)
  if ctx.lane < 16 {
    let s = sum<over ctx.lane>(v * 2.0)    //! error PH0304: needs every lane of the warp   //~ fix: Move this out of the `if`
    O[ctx.thread % 64] = s
  }
  if ctx.warp == 0 {
    let m = max<over ctx.thread>(v)        //! error PH0305: needs every thread of the CTA   //~ fix: Move this out of the `if`
    O[ctx.thread % 64] = m
  }
  if ctx.lane < n {
    let w = shfl<xor 1>(O[ctx.lane + n])   //! error PH0304: needs every lane of the warp   //~ no fix
    O[ctx.thread % 64] = w
  }
}
