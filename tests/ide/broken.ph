// Half-typed text: what is asked of it is answered as far as it can be.
fn twice(v: f32) -> f32 {
 //^^^^^ label twice
  return v * 2.0
}

kernel half(x: tensor<f32>[N], out: tensor<f32>[N] {
          //^ label x
                         //^ label N
                                              //^ label N_out
  let base = ctx.block.x *
    //^^^^ label base
           //^^^ token variable readonly defaultLibrary
  let other = base + x[
            //^^^^ label base_1
            //^ definition base
                   //^ label x_1
                   //^ definition x
  out[base] = twice(x[base]
                  //^ label x_2
                  //^ references x x_1 x_2
            //^^^^^ token function
            //^ definition twice
                      //^ hover base
  if N <
   //^ label N_used
   //^ highlight N= N_out N_used
}

kernel next(y: tensor<f32>[M]) {
          //^ label y
  y[0] = twice(1.0)
//^ definition y
       //^ definition twice
       //^ rename double refused: `half` has a syntax error
}
