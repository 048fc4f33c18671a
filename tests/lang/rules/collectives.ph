// Rule 4: collectives and shuffles need their lanes or threads.

@launch(128)
kernel lanes(A: tensor<f32>[1, 128], O: tensor<f32>[1, 128], n: i32) {
  let v = A[0, ctx.thread]
  if ctx.warp < 2 {
    O[0, ctx.thread] = sum<over ctx.lane>(v) + shfl<xor 1>(v)
  }
  if n < 2 {
    O[0, ctx.thread] = max<over ctx.lane>(v)
  }
  if v < 2.0 {
    O[0, ctx.thread] = min<over ctx.lane>(v)       //! error: `min<over ctx.lane>` needs every lane of the warp: the `if` around it differs between lanes, because of `ctx.thread`
  }
  for i in range(0, ctx.lane) {
    O[0, ctx.thread] = shfl<up 1>(v)               //! error: `shfl<up 1>` needs every lane of the warp: the `for` around it differs between lanes
  }
  for i in range(ctx.warp, 8) {
    O[0, ctx.thread] = shfl<from i>(v)
  }
  if any<over ctx.lane>(v > 0.0) && all<over ctx.lane>(v < 1.0) {
    O[0, ctx.thread] = 1.0
  }
  if v > 0.0 && all<over ctx.lane>(v < 1.0) {      //! error: `all<over ctx.lane>` needs every lane of the warp: the left side of the `&&` differs between lanes
    O[0, ctx.thread] = 1.0
  }
}

@launch(128)
kernel threads(A: tensor<f32>[1, 128], O: tensor<f32>[1, 128], n: i32) {
  let v = A[0, ctx.thread]
  let t = sum<over ctx.thread>(v)                  //? t: uniform
  if n < 2 && t > 0.5 {
    O[0, ctx.thread] = max<over ctx.thread>(v)
  }
  if ctx.warp == 3 {
    O[0, 0] = sum<over ctx.thread>(v)              //! error: `sum<over ctx.thread>` needs every thread of the CTA: the `if` around it differs between warps, because of `ctx.warp`
  }
  if ctx.lane == 3 {
    O[0, 0] = sum<over ctx.thread>(v)              //! error: needs every thread of the CTA: the `if` around it differs between lanes
  }
  if ctx.lane == 4 {
    O[0, 1] = sum<over ctx.lane>(v) / max<over ctx.lane>(v)   //! error: `sum<over ctx.lane>` needs every lane of the warp
  }
}

@launch(128)
kernel leaving(A: tensor<f32>[8, 128], O: tensor<f32>[8, 128]) {
  for i in range(0, 8) {
    let v = A[i, ctx.thread]
    let s = sum<over ctx.lane>(v)                  //! error: whether a `break` leaves the loop first differs between lanes   //? s: warp-uniform
    if v > 0.5 {
      break
    }
  }
  for i in range(0, 8) {
    let s = sum<over ctx.lane>(A[i, ctx.thread])
    if s > 0.5 {
      break
    }
    O[i, ctx.thread] = shfl<down 1>(s)
    barrier()                                      //! error: whether a `break` leaves the loop first differs between warps, because of `sum<over ctx.lane>`
  }
  for i in range(0, 8) {
    let s = sum<over ctx.thread>(A[i, ctx.thread])
    if s > 0.5 {
      break
    }
    barrier()
  }
}

@launch(128)
kernel behind_a_condition(I: tensor<i32>[N], J: tensor<i32>[N]) {
  let b = ctx.lane == 0 && any<over ctx.lane>(I[ctx.thread] > 0)   //! error PH0304: needs every lane of the warp   //~ fix: Put it on the left side
  let c = ctx.lane == 0 || all<over ctx.lane>(I[ctx.thread] > 0)   //! error PH0304: needs every lane of the warp   //~ fix: Put it on the left side
  let i = ctx.thread
  let d = i < N && any<over ctx.lane>(I[i] > 0)                    //! error PH0304: needs every lane of the warp   //~ no fix
  let inside = i < N
  let e = inside && any<over ctx.lane>(I[i] > 0)                   //! error PH0304: needs every lane of the warp   //~ no fix
  if b || c || d || e { J[0] = 1 }
}
