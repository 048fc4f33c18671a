// Three values.
fn third(v: f32) -> f32 {
 //^^^^^ hover fn third(v: f32) -> f32 | Three values.
           //^^^ hover IEEE binary32
  return v / 3.0
}

@launch(128)
 //^^^^ hover @launch(threads[, minBlocks[, maxRegs]]) | 32, 64, …, 1024 | without the attribute 256
@aligned(N = 4)
// A row.
kernel work(
    // what is read
    x: tensor<f32>[N],
  //^ hover x: tensor<f32>[N] | a tensor in global memory | what is read
     //^^^^^^ hover row-major
                 //^ hover a dimension: the extent of axis 0 of `x` | a multiple of 4
    out: tensor<f32>[N]) {
  let base = ctx.block.x * 128
    //^^^^ hover let base: index | 128*ctx.block.x | a multiple of 128 | the same in every thread of the CTA
               //^^^^^ hover ctx.block.x/.y/.z: index | This CTA's index
  let warp = ctx.warp
    //^^^^ hover **warp-uniform**: the same in every lane of a warp | ctx.warp
  var acc = 0.0
  if ctx.lane < 7 {
    acc = 1.0
  }
  let lane = acc
    //^^^^ hover **varying**: may differ between lanes | ([line 25](file:// | #L25, | hover.ph
  let four = 2 * 2
    //^^^^ hover let four: index = 4
  let row: tile<f32>[128] = x[base :+ 128]
         //^^^^ hover there is one of it
  out[base :+ 128] = row * third(exp(1.0)) + lane
                                  //^ hover exp(x: float) -> float | it runs in each thread | as varying as the operands | let p = exp(
                         //^^^^^ hover Three values.
}

//# run N=64 x=iota out=full:2 --device sim expect out=out.npy rtol=1e-4
  //^^^ hover //# run NAME=VALUE
      //^ hover a dimension: the extent of axis 0 of `x`
           //^ hover x: tensor<f32>[N] | a tensor in global memory
             //^^^^ hover 0, 1, 2, … in row-major order
                      //^^^^ hover full:VALUE
                             //^^^^^^^^ hover Where the run takes place
                                      //^^^ hover On the simulator
                                          //^^^^^^ hover Compares a tensor after the run
                                                 //^^^ hover out: tensor<f32>[N]
                                                             //^^^^ hover rtol=NUMBER
kernel again(x: tensor<f32>[N], out: tensor<f32>[N]) {
  out[ctx.thread] = x[ctx.thread]
}

@launch(TM * 2)
      //^^ hover TM: index | a constant that the tuner chooses from 64, 128
@autotune(TM in [64, 128])
kernel sized(out: tensor<i32>[N]) {
  out[ctx.thread] = i32(TM)
}
