// The words of CUDA, Triton and NumPy lead to ours.

kernel cuda(n: i32, x: f32, W: tensor<i32>[8], Out: tensor<f32>[8, 8]) {
  let _a = threadIdx.x                     //! error: this thread is `ctx.thread`        //~ fix: Change to `ctx.thread`
  let _b = blockIdx.y * 4                  //! error: this CTA's index is `ctx.block.y`  //~ fix: Change to `ctx.block.y`
  let _c = blockDim.x                      //! error: the CTA's size is `ctx.threads`    //~ fix: Change to `ctx.threads`
  let _d = gridDim.z                       //! error: the grid's extent is `ctx.blocks.z`   //~ fix: Change to `ctx.blocks.z`
  let _e = threadIdx.y                     //! error: counted along one axis             //~ no fix
  let _f = warpSize + lane_id              //! error: the warp width is `ctx.lanes`      //! error: this thread's lane is `ctx.lane`   //~ fix: Change to `ctx.lanes`
  __syncthreads()                          //! error: no operation or function `__syncthreads`   //~ fix: Change to `barrier`
  syncthreads()                            //! error: no operation or function `syncthreads`     //~ fix: Change to `barrier`
  let _g = __shfl_xor_sync(0xff, x, 16)    //! error: `__shfl_xor_sync`                  //~ fix: Change to `shfl<xor 16>(x)`
  let _h = atomicAdd(W, 0, 1)              //! error: `atomicAdd`                        //~ fix: Change to `atomic_add`
  let _i = fmaxf(x, expf(x))               //! error: `fmaxf`   //! error: `expf`        //~ fix: Change to `tmax`   //~ fix: Change to `exp`
  let _j = __popc(n)                       //! error: `__popc`                           //~ fix: Change to `popcount`
  let _k = fmaf(x, x + 1.0, x)             //! error: `fmaf`                             //~ fix: Change to `(x * (x + 1.0) + x)`
  let _l = float(n)                        //! error: `float`                            //~ fix: Change to `f32`
  let _m = int(x)                          //! error: `int`                              //~ fix: Change to `i32`
  let _o = (n > 0) == True                 //! error: there is no `True` here            //~ fix: Change to `true`
  printf()                                 //! error: `print(x, y)` shows values              //~ no fix
}

kernel triton(n: i32, x: f32, Out: tensor<f32>[8, 8]) {
  let t = Out[0 :+ 4, 0 :+ 4]
  let _a = program_id(1)                   //! error PH0110: `program_id(1)` is an older spelling of `ctx.block.y`   //~ fix: Change to `ctx.block.y`
  let _b = tl.program_id(0)                //! error PH0110: is spelt `ctx.block.x`      //~ fix: Change to `ctx.block.x`
  let _c = num_programs(2)                 //! error PH0110: is spelt `ctx.blocks.z`     //~ fix: Change to `ctx.blocks.z`
  let _d = program_id(3)                   //! error PH0110: its axis is 0, 1 or 2       //~ no fix
  let _e = tl.arange(0, 64)                //! error PH0102: `tl.arange`                 //~ fix: Change to `iota(64)`
  let _f = tl.exp(t)                       //! error: `tl.exp`                           //~ fix: Change to `exp`
  let _g = tl.dot(t, t)                    //! error: `tl.dot`                           //~ fix: Change to `dot`
  let _h = tl.cdiv(n, 4)                   //! error: `tl.cdiv`                          //~ fix: Change to `((n + 4 - 1) / 4)`
  let _i = np.maximum(t, 0.0)              //! error: `np.maximum`                       //~ fix: Change to `tmax`
  let _j = matmul(t, t)                    //! error: `matmul`                           //~ fix: Change to `dot`
  let _k = relu(t)                         //! error: `relu`                             //~ fix: Change to `tmax(t, 0)`
  let _l = sigmoid(x + 1.0)                //! error: `sigmoid`                          //~ fix: Change to `(1.0 / (1.0 + exp(-(x + 1.0))))`
  let _m = clamp(x, 0.0, 6.0)              //! error: `clamp`                            //~ fix: Change to `tmin(tmax(x, 0.0), 6.0)`
  let _o = len(Out)                        //! error: `len`                              //~ fix: Change to `extent(Out, 0)`
  let _p = zeros(4, 4)                     //! error: declare `var t: tile<f32>[R, C] = 0.0`   //~ no fix
  let _q = softmax(t)                      //! error: `exp(x - rowmax(x))`               //~ no fix
  let _r = tl.load(Out)                    //! error: read a slice                       //~ no fix
  let _s = t.T                             //! error PH0111: `t` has no fields           //~ fix: Change to `transpose(t)`
  let _u = Out.shape                       //! error PH0111: the extent of its first axis is `extent(Out, 0)`
  let _v = x.foo                           //! error PH0111: `x` has no fields; only `ctx` has   //~ no fix
}

kernel types(Out: tensor<f32>[8]) {
  let _a: float = 1.0                      //! error PH0201: there is no type `float`    //~ fix: Change to `f32`
  let _b: half = 1.0                       //! error PH0201: there is no type `half`     //~ fix: Change to `f16`
  let _c: int = 1                          //! error: there is no type `int`             //~ fix: Change to `i32`
  let _d: double = 1.0                     //! error: there is no type `double`          //~ fix: Change to `f64`
  let _e: uint8 = 1                        //! error: there is no type `uint8`           //~ fix: Change to `u8`
  let _f: float32 = 1.0                    //! error: there is no type `float32`         //~ fix: Change to `f32`
  let _g: tile<bfloat16>[4] = 1.0          //! error: there is no type `bfloat16`        //~ fix: Change to `bf16`
  let _h: f23 = 1.0                        //! error: there is no type `f23`             //~ fix: Change to `f32`
  let _i: matrix = 1.0                     //! error: there is no type `matrix`          //~ no fix
}

kernel by_pointer(x: tensor<f32>[N], y: tensor<f32>[N], i: i32) {
  let v = tl.load(x + i)                           //! error: there is no operation or function `tl.load`; read a slice, as in `A[i :+ 64]`
  tl.store(y + i, v)                               //! error: there is no operation or function `tl.store`; write a slice, as in `A[i :+ 64] = x`   //~ no fix
  tl.store(y + nope, v)                            //! error: there is no operation or function `tl.store`   //! error: there is no `nope` here
}
