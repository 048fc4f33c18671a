// A name that is nearly there is offered: a slip of the keyboard, the case of letters, a plural, a swap of neighbours.

fn scale(a: f32, b: f32) -> f32 { return a * b }

@autotune(BLOCK in [32, 64])
kernel misspelt(Input: tensor<f32>[M, N], count: i32, Out: tensor<f32>[M, N]) {
  let total = 1.0
  let _a = Input[0, 0] + totl              //! error PH0101: there is no `totl` here     //~ fix: Change to `total`
  let _b = input[0, 0]                     //! error PH0101: there is no `input` here    //~ fix: Change to `Input`
  let _c = Inputs[0, 0]                    //! error: there is no `Inputs` here          //~ fix: Change to `Input`
  let _d = coutn + 1                       //! error: there is no `coutn` here           //~ fix: Change to `count`
  let _e = n + 1                           //! error: there is no `n` here               //~ fix: Change to `N`
  let _f = Scale(1.0, 2.0)                 //! error PH0102: no operation or function `Scale`   //~ fix: Change to `scale`
  let _g = scales(1.0, 2.0)                //! error: no operation or function `scales`  //~ fix: Change to `scale`
  let _h = rowSum(Input[0 :+ 4, 0 :+ 4])   //! error: no operation or function `rowSum`  //~ fix: Change to `rowsum`
  let _i = sqrtt(total)                    //! error: no operation or function `sqrtt`   //~ fix: Change to `sqrt`
  let _j: tile<f32>[blok, 4] = 0.0         //! error: there is no `blok` here            //~ fix: Change to `BLOCK`
  let _k = Input[0 :+ BLOCKS, 0 :+ 4]      //! error: there is no `BLOCKS` here          //~ fix: Change to `BLOCK`
  Out[0, 0] = nothing_like_it              //! error: there is no `nothing_like_it` here //~ no fix
  let _l = frobnicate(total)               //! error: no operation or function `frobnicate`   //~ no fix
  for i in range(0, 4) { let _m = i + ii } //! error: there is no `ii` here              //~ fix: Change to `i`
}

kernel ended(n: i32, Out: tensor<i32>[4]) {
  if n > 0 {
    let doubled = 2 * n                    //~ related: a `doubled` is declared here, in a block that has ended
    Out[0] = doubled
  }
  Out[1] = doubled                         //! error: there is no `doubled` here         //~ no fix
}

kernel not_values(n: i32, Out: tensor<f32>[4]) {
  Out[0] = scale                           //! error PH0116: `scale` is a function; a value is what a call of it gives   //~ no fix
  Out[1] = exp                             //! error PH0116: `exp` is an operation, not a value
  barrier                                  //! error PH0116: `barrier` is an operation   //~ fix: Call it
  Out[2] = ended                           //! error PH0116: `ended` is a kernel, not a value
  Out[3] = n(3)                            //! error PH0116: `n` names a value of type `i32` here
  Out[0] = Out                             //! error PH0116: `Out` is a tensor in global memory
  Out[1] = barrier()                       //! error PH0116: `barrier()` gives no value
  ended(n, Out)                            //! error PH0117: `ended` is a kernel; only functions can be called
}
