// Names that are near to ours and are others' words for something else: what to write instead, and no edit that changes the meaning.
kernel scalars(x: tensor<f32>[64], n: i32) {
  let _a = acos(x[0])                              //! error: no operation or function `acos`; it has no counterpart   //~ no fix
  let _b = asin(x[0])                              //! error: no operation or function `asin`   //~ no fix
  let _c = sign(x[0])                              //! error: write `where(x > 0.0, 1.0, where(x < 0.0, -1.0, 0.0))`   //~ no fix
  let _d = sqr(x[0])                               //! error: write `x * x`   //~ no fix
  let _e = ln(x[0])                                //! error: it is spelt `log`   //~ fix: Change to `log`
  let _f = mod(n, 3)                               //! error: no operation or function `mod`   //~ fix: Change to `(n % 3)`
  let _g = max3(x[0], x[1], 2.0)                   //! error: no operation or function `max3`   //~ fix: Change to `tmax(tmax(x[0], x[1]), 2.0)`
  let _h = log7(x[0])                              //! error: did you mean `log`?   //~ no fix
  let _i = f31(n)                                  //! error: no operation or function `f31`   //~ no fix
}

kernel tiles(A: tensor<f32>[64, 64]) {
  let t = A[0 :+ 16, 0 :+ 16]
  let _a = triu(t)                                 //! error: no operation or function `triu`   //~ fix: Change to `transpose(tril(transpose(t)))`
  let _b = rowmean(t)                              //! error: divide a `rowsum` by the number of columns   //~ no fix
  let _c = rowargmin(t)                            //! error: `rowargmax(-t)` is the lowest index   //~ no fix
  let _d = colsum(t)                               //! error: no operation or function `colsum`   //~ fix: Change to `transpose(rowsum(transpose(t)))`
  let _e = dot_n(t, t)                             //! error: `dot(a, b)` is `a @ b`   //~ no fix
  let _f = dot_tn(t, t)                            //! error: no operation or function `dot_tn`   //~ fix: Change to `dot(transpose(t), t)`
  let _g = rowmix(t)                               //! error: did you mean   //~ no fix
  let _h = rowmxa(t)                               //! error: did you mean `rowmax`?   //~ fix: Change to `rowmax`
  let _i = tl.sum(t, axis=1)                       //! error: a fold over the last axis of a tile is `rowsum(t)`   //~ fix: Write `rowsum(…)`
  let _j = tl.max(t, 1)                            //! error: a fold over the last axis of a tile is `rowmax(t)`   //~ fix: Write `rowmax(…)`
  let _k = t.sum()                                 //! error: an operation stands before its operand: `rowsum(t)`   //~ fix: Change to `rowsum(t)`
}

// What is meant is known, so that the rest is looked at, and the repair holds beside the errors there.
kernel goes_on(x: tensor<f32>[64], O: tensor<i32>[64], C: tensor<i32>[4]) {
  let tid = threadIdx.x                            //! error: this thread is `ctx.thread`   //~ fix: Change to `ctx.thread`
  O[tid] = tid                                     //! error: without a conversion
  let p = program_id(0)                            //! error: older spelling   //~ fix: Change to `ctx.block.x`
  O[0] = p                                         //! error: without a conversion
  let z: float = ctx.thread                        //! error: it is spelt `f32`   //~ fix: Change to `f32`   //! error: without a conversion
  O[1] = len(x)                                    //! error: no operation or function `len`   //~ fix: Change to `extent(x, 0)`   //! error: without a conversion
  O[2] = x.shape[0]                                //! error: has no fields   //~ fix: Change to `extent(x, 0)`   //! error: without a conversion
  O[3] = warpSize                                  //! error: the warp width is `ctx.lanes`   //~ fix: Change to `ctx.lanes`   //! error: without a conversion
  x[0] = z + INFINITY                              //! error: the largest `f32` is `3.4028235e38`   //~ fix: Change to `3.4028235e38`
  let _n = atomic_add(C, 4, 1)                     //! warning PH0234: `C` has no element at position 4: it has 4
  store_release(C, -1, 1)                          //! warning PH0234: `C` has no element at position -1
}
