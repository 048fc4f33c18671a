// Folds and shuffles as other languages write them.
kernel groups(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let s = sum(x, over=ctx.lane)                  //! error: what a fold goes over stands in `<…>` before the arguments   //~ fix: Write `<over ctx.lane>`
    O[0] = s
  }
  if n > 5 {
    let s = sum(x, over = ctx.thread)              //! error: what a fold goes over stands in `<…>` before the arguments   //~ fix: Write `<over ctx.thread>`
    O[0] = s
  }
  if n > 5 {
    let s = sum(x, ctx.lane)                       //! error: the group of a fold stands in `<…>`: `sum<over ctx.lane>(x)`   //~ fix: Write `<over ctx.lane>`
    O[0] = s
  }
  if n > 5 {
    let s = sum(x, over ctx.lane)                  //! error: what a fold goes over stands in `<…>` before the arguments   //~ fix: Write `<over ctx.lane>`
    O[0] = s
  }
  if n > 5 {
    let s = sum(over ctx.lane, x)                  //! error: what a fold goes over stands in `<…>` before the arguments   //~ fix: Write `<over ctx.lane>`
    O[0] = s
  }
  if n > 5 {
    let s = sum<over ctx.lane>x                    //! error: expected `(` and the arguments   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = sum<ctx.lane>x                         //! error: expected `over` before `ctx.lane` or `ctx.thread`   //~ fix: Write `over ctx.lane`   //! error: expected `(` and the arguments   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = sum<over: ctx.lane>(x)                 //! error: unexpected `:`: `over` and what belongs to it stand side by side   //~ fix: Remove `:`
    O[0] = s
  }
  if n > 5 {
    let s = sum<over=ctx.lane>(x)                  //! error: unexpected `=`: `over` and what belongs to it stand side by side   //~ fix: Remove `=`
    O[0] = s
  }
  if n > 5 {
    let s = sum<over ctx.lanes>(x)                 //! error: expected `ctx.lane` or `ctx.thread` behind `over`   //~ fix: Write `over ctx.lane`
    O[0] = s
  }
  if n > 5 {
    let s = sum<over ctx.warp>(x)                  //! error: expected `ctx.lane` or `ctx.thread` behind `over`   //~ fix: Write `over ctx.lane`
    O[0] = s
  }
  if n > 5 {
    let s = sum<over ctx.block>(x)                 //! error: expected `ctx.lane` or `ctx.thread` behind `over`   //~ fix: Write `over ctx.thread`
    O[0] = s
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel axes(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let s = sum(B[0 :+ 64, 0 :+ 64], axis=1)       //! error: a fold over the last axis of a tile is `rowsum(t)`   //~ fix: Write `rowsum(…)`
    B[0 :+ 64, 0 :+ 1] = s
  }
  if n > 5 {
    let s = max(B[0 :+ 64, 0 :+ 64], axis=0)       //! error: a fold over the last axis of a tile is `rowmax(t)`, over the first one `transpose(rowmax(transpose(t)))`   //~ fix: Write `transpose(rowmax(…))`
    B[0 :+ 1, 0 :+ 64] = s
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel lanes(A: tensor<f32>[64], B: tensor<f32>[64, 64], O: tensor<f32>[64], n: i32, m: i32, x: f32) {
  if n > 5 {
    let d = 2
    let s = shfl<up 1 << d>(x)                     //! error: expected parentheses around a lane count with `<<`   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = shfl<xor 1 | 2>(x)                     //! error: expected parentheses around a lane count with `|`   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = shfl<from n & 31>(x)                   //! error: expected parentheses around a lane count with `&`   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = shfl<xor 16>x                          //! error: expected `(` and the arguments   //~ fix: Put it in parentheses
    O[0] = s
  }
  if n > 5 {
    let s = shfl<xor, 16>(x)                       //! error: unexpected `,`: `xor` and what belongs to it stand side by side   //~ fix: Remove `,`
    O[0] = s
  }
  if n > 5 {
    let s = shfl<xor=16>(x)                        //! error: unexpected `=`: `xor` and what belongs to it stand side by side   //~ fix: Remove `=`
    O[0] = s
  }
  if n > 5 {
    let s = shfl<xor: 16>(x)                       //! error: unexpected `:`: `xor` and what belongs to it stand side by side   //~ fix: Remove `:`
    O[0] = s
  }
  if n > 5 {
    let s = shfl(x, xor 16)                        //! error: what lane a shuffle reads stands in `<…>` before the arguments   //~ fix: Write `<xor 16>`
    O[0] = s
  }
  if n > 5 {
    let s = shfl(x, xor=16)                        //! error: what lane a shuffle reads stands in `<…>` before the arguments   //~ fix: Write `<xor 16>`
    O[0] = s
  }
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(64)
kernel lane_counts(x: tensor<f32>[64]) {
  let i = ctx.thread
  x[i] = shfl<from i < 3>(x[i])                     //! error: expected parentheses around a lane count with `<`
}
