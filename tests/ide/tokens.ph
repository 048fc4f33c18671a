// Colours: what each name is, and how far its value may differ.
fn scaled(v: f32) -> f32 {
 //^^^^^^ token function declaration
        //^ token parameter declaration readonly uniform
           //^^^ token type defaultLibrary
  return v * 2.0
       //^ token parameter readonly uniform
           //^^^ token none
}

@autotune(BLOCK in [64, 128])
        //^^^^^ token variable declaration readonly static uniform
  @tensorcore(tf32)
 //^^^^^^^^^^ token decorator
            //^^^^ token keyword
kernel work(x: tensor<f32>[N], out: tensor<f32>[N], factor: f32) {
          //^ token parameter declaration
             //^^^^^^ token type defaultLibrary
                         //^ token typeParameter declaration readonly uniform
                                                  //^^^^^^ token parameter declaration readonly uniform
  let base = ctx.block.x * BLOCK
    //^^^^ token variable declaration readonly uniform
           //^^^ token variable readonly defaultLibrary
               //^^^^^ token property readonly defaultLibrary uniform
                     //^ token property readonly defaultLibrary uniform
                         //^^^^^ token variable readonly static uniform
  let warp = ctx.warp
    //^^^^ token variable declaration readonly warpUniform
  let lane = ctx.lane + warp
    //^^^^ token variable declaration readonly varying
               //^^^^ token property readonly defaultLibrary varying
                      //^^^^ token variable readonly warpUniform
  var acc = 0.0
    //^^^ token variable declaration varying
  for i in range(0, ctx.threads) {
    //^ token variable declaration readonly uniform
         //^^^^^ token keyword
                      //^^^^^^^ token property readonly static defaultLibrary uniform
    acc += x[base + lane] * scaled(factor)
  //^^^ token variable modification varying
                         // ^^^^^^ token function
  }
  let all = sum<over ctx.lane>(acc)
    //^^^ token variable declaration readonly warpUniform
          //^^^ token function defaultLibrary
              //^^^^ token keyword
  out[base + lane] = all + unknown
  //^^^ token none
                         //^^^^^^^ token none
}
