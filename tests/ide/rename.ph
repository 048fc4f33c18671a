fn scaled(v: f32, by: f32) -> f32 {
 //^^^^^^ label scaled
  return v * by
       //^ rename factor: 1:11-1:12 3:10-3:11
       //^ rename by refused: `by` is declared on line 1 already
}

//# run N=256 BLOCK=64 x=iota expect out=none.npy
      //^ label run_N
            //^^^^^ label run_BLOCK
      //^ rename COUNT: run_N N N_out N_used K_N
      //^ renameable run_N
@launch(128)
 //^^^^ renameable refused: `@launch` is an attribute
@aligned(N = 4)
       //^ label K_N
@autotune(BLOCK in [64, 128])
        //^^^^^ label BLOCK
        //^ rename TILE: BLOCK run_BLOCK B1 B2
kernel work(x: tensor<f32>[N], out: tensor<f32>[N]) {
//< renameable refused: `kernel` is a keyword
     //^^^^ label work
     //^^^^ rename task: work
     //^^^^ rename scaled refused: `scaled` is defined on line 1 already
     //^^^^ rename exp refused: `exp` is a built-in
     //^^^^ rename for refused: `for` is a keyword
     //^^^^ rename 2nd refused: `2nd` is no name
                         //^ label N
                                              //^ label N_out
  let base = ctx.block.x * BLOCK
    //^^^^ label base
                         //^^^^^ label B1
     // ^ rename block: base base_1 base_2 base_3
               //^ renameable refused: `block` is a part of `ctx`
           //^ renameable refused: `ctx` is a part of `ctx`
  if base < N {
   //^^^^ label base_1
     //^^^^ rename row refused: `row` is declared on line 40 already
          //^ label N_used
    let row = x[base :+ BLOCK]
              //^^^^ label base_2
      //^^^ label row
                      //^^^^^ label B2
       // ^ renameable row
    out[base :+ 64] = row * scaled(2.0, exp(1.0))
      //^^^^ label base_3
                          //^^^^^^ label scaled_1
                                      //^^^ renameable refused: `exp` is a built-in
                          //^^^^^^ rename grown: scaled scaled_1
                          //^^^^^^ rename base refused: `base` is declared on line 30 already
  }
}

@launch(WIDE * 2)
      //^^^^ label WIDE1
@autotune(WIDE in [64, 128])
        //^^^^ label WIDE
        //^ rename ROWS: WIDE1 WIDE WIDE2
kernel wide(out: tensor<i32>[M]) {
  out[ctx.thread] = i32(WIDE)
                      //^^^^ label WIDE2
}
