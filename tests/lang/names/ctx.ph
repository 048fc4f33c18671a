// `ctx` and its fields.

kernel fields(Out: tensor<f32>[8]) {
  let _a = ctx                             //! error PH0106: read only through a field
  let _b = ctx.block                       //! error PH0107: `ctx.block` needs an axis   //~ fix: Change to `ctx.block.x`
  let _c = ctx.warp_size                   //! error PH0108: the warp width is `ctx.lanes`   //~ fix: Change to `ctx.lanes`
  let _d = ctx.blok.y                      //! error PH0108: did you mean `ctx.block`?   //~ fix: Change to `ctx.block.y`
  let _e = ctx.Threads                     //! error PH0108: did you mean `ctx.threads`? //~ fix: Change to `ctx.threads`
  let _f = ctx.threadIdx.x                 //! error PH0108: this thread is `ctx.thread` //~ fix: Change to `ctx.thread`
  let _g = ctx.blockIdx                    //! error PH0108: this CTA's index            //~ fix: Change to `ctx.block.x`
  let _h = ctx.threadIdx.y                 //! error PH0108: this thread is `ctx.thread` //~ no fix
  let _i = ctx.cluster                     //! error PH0108: it has `block`, `blocks`    //~ no fix
  let _j = ctx.thread.x                    //! error PH0109: one number and has no axis  //~ fix: Change to `ctx.thread`
  let _k = ctx.thread.y                    //! error PH0109: one number and has no axis  //~ no fix
  let _l = ctx.block.w                     //! error PH0109: no axis `w`                 //~ no fix
  let _m = ctx.blocks.X                    //! error PH0109: no axis `X`                 //~ fix: Change to `ctx.blocks.x`
  let ctx = 1                              //! error PH0105: `ctx` is reserved
}

kernel reserved_as_a_parameter(ctx: i32, Out: tensor<f32>[8]) {   //! error PH0105: `ctx` is reserved
  Out[0] = 1.0
}
