// Names and their declarations.

fn scaled(v: f32, by: f32) -> f32 {
 //^^^^^^ label scaled
        //^ label v
           //^^^ label type_v
                        //    ^^^ label result
  return v * by
       //^ definition v
       //^ label v_used
       //^ highlight v= v_used
       //^ type type_v
}

//# run N=256 K=4 x=iota factor=2.0 expect out=none.npy
      //^ label run_N
      //^ definition N
      //^ references run_N N N_out N_used
      //^ token none
                //^ label run_x
                                         //^^^ label run_out
@launch(128)
@aligned(K = 4)
       //^ label K_aligned
@autotune(BLOCK in [64, 128])
        //^^^^^ label BLOCK
kernel scale(x: tensor<f32>[N], out: tensor<f32>[N], w: tensor<f32>[K], factor: f32) {
     //^^^^^ label scale
     //^^^^^ definition scale
           //^ label x
              //^^^^^^^^^^^^^^ label type_x
                          //^ label N
                              //^^^ label out
                                               //^ label N_out
                                                                 // ^ label K
                                                                      //^^^^^^ label factor
                                                                              //^^^ label type_factor
  let base = ctx.block.x * BLOCK
    //^^^^ label base
                         //^ definition BLOCK
                         //^^^^^ label B1
                         //^ references BLOCK B1 B2 B3 B4 B5
             //  ^ definition none
  if base < N {
   //^ definition base
          //^ label N_used
          //^ definition N
    var row: tile<f32>[BLOCK] = x[base :+ BLOCK]
      //^^^ label row
           //^^^^^^^^^^^^^^^^ label type_row
                              //^ label x_used
                    // ^^^^^ label B2
                                       // ^^^^^ label B3
                              //^ references run_x x x_used
    row += factor
  //^^^ label row_written
         //^ type type_factor
    let row = row * scaled(factor, f32(BLOCK))
      //^^^ label inner
            //^^^ label row_read
            //^ definition row
            //^ type type_row
                  //^ definition scaled
                                    // ^^^^^ label B4
    out[base :+ BLOCK] = row
  //^^^ label out_tile
             // ^^^^^ label B5
                       //^ definition inner
  //^ highlight run_out out= out_tile= out_point=
                       //^ type none
  }
  var again = scaled(factor, 2.0)
  again = again * f32(K)
  //^ type result
                //^ definition none
                    //^ definition K
  for i in range(0, 4) {
    //^ label i
    out[base + i] = w[i] + again
  //^^^ label out_point
             //^ definition i
             //^ label i1
                    //^ label i2
             //^ references i i1 i2
  }
}
