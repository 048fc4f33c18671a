// What each operation makes of the kinds of its operands.

@launch(256)
kernel scalars(X: tensor<f32>[256, 8], O: tensor<f32>[256], n: i32, b: bool) {
  let lane = ctx.lane                    //? lane: varying
  let warp = ctx.warp                    //? warp: warp-uniform
  let block = ctx.block.z                //? block: uniform
  let a = -warp                          //? a: warp-uniform
  let c = warp * 32 + lane               //? c: varying
  let d = exp(X[warp, 0])                //? d: warp-uniform
  let e = pow(X[0, 0], X[lane, 0])       //? e: varying
  let f = where(warp > 2, 1.0, X[0, 1])  //? f: warp-uniform
  let g = b && lane > 3                  //? g: varying
  let h = lane > 3 || b                  //? h: varying
  let i = b && n > 3                     //? i: uniform
  let j = f32(warp)                      //? j: warp-uniform
  let k = X[block, 3] + X[0, n]          //? k: uniform
  let l = extent(X, 0)                   //? l: uniform
  let m = sum(X[0, 0 :+ 4])              //? m: uniform
  let o = sum(X[lane, 0 :+ 4])           //? o: varying
  let p = max(X[0, warp :+ 4] * 2.0)     //? p: warp-uniform
  let q = popcount(n)                    //? q: uniform
  O[ctx.thread] = d + e + f + j + k + m + o + p
}

@launch(256)
kernel tiles(X: tensor<f32>[256, 8], O: tensor<f32>[256], n: i32) {
  var t = X[0 :+ 4, 0 :+ 8]              //? t: uniform
  t[0, ctx.lane % 8] = 1.0
  barrier()
  let a = t[0, 0]                        //? a: uniform
  let b = t[ctx.warp % 4, 0]             //? b: warp-uniform
  let c = t[0, ctx.lane % 8]             //? c: varying
  let d = elem(t, ctx.warp)              //? d: warp-uniform
  let e = elem(t, 3)                     //? e: uniform
  let f = rowmax(t)[0, 0]                //? f: uniform
  let g = rowmax(t)                      //? g: uniform
  O[ctx.thread] = a + b + c + d + e + f + g[0, 0]
}

@launch(256)
kernel together(X: tensor<f32>[256, 8], C: tensor<i32>[8], O: tensor<f32>[256], s: f32) {
  let v = X[ctx.thread, 0]               //? v: varying
  let a = sum<over ctx.lane>(v)          //? a: warp-uniform   //~ reason: `a` is set to a value that differs between warps   //~ reason: `sum<over ctx.lane>` gives each warp a result of its own
  let b = max<over ctx.thread>(v)        //? b: uniform
  let c = min<over ctx.thread>(a)        //? c: uniform
  let d = any<over ctx.lane>(v > 0.0)    //? d: warp-uniform
  let e = all<over ctx.thread>(v > 0.0)  //? e: uniform
  let f = shfl<xor 1>(v)                 //? f: varying
  let g = shfl<up 1>(s)                  //? g: uniform
  let h = shfl<down ctx.lane>(s)         //? h: varying
  let i = shfl<from ctx.warp>(s)         //? i: warp-uniform
  let j = atomic_add(C, 0, 1)            //? j: uniform
  let k = load_acquire(C, 1)             //? k: uniform
  let l = atomic_add(C, 1, j)            //? l: uniform
  O[ctx.thread] = a + b + c + f + g + h + i
}
