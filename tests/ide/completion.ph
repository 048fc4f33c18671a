// What may stand where. Nothing is offered in a comment: not even ba
                                                              //  ^ complete none

// Twice a value.
fn twice(v: f32, n: index) -> f32 {
                //  ^ complete f32 tile tensor !v
  return v * 2.0
       //^ complete v twice !base
}

//# run 
       //^ complete N BLOCK x out factor --grid expect !factor=
       //^ inserts x: x=$0
//# run N=64 x=iota  expect 
                   //^ complete BLOCK !N !x
                   //^ detail out: tensor<f32>[N]
                          //^ complete out x rtol !N !--grid
//# run x=ran BLOCK= --device s
         //  ^ completes randn, randint
                  //^ completes 64, 128, 256
                             //^ completes sim
//# ru
    //^ completes //# run
@launch(
      //^ signature @launch(threads[, minBlocks[, maxRegs]]) | threads
      //^ complete 128 1024 !launch
@autotune(BLOCK in [64, 256])
 //^ complete autotune !launch
 //^ resolve autotune: chooses
 //^ inserts autotune: autotune(${1:BLOCK} in [${2:64}, ${3:256}])
@aligned()
       //^ inserts N: N = ${1:128}
kernel work(x: tensor<f32>[N], out: tensor<f32>[N], factor: f32, last: i) {
                    //^ complete f32 f16 !tensor
                        // ^ complete N BLOCK !x
                                                                      //^ completes i8, i32, i64
  let base = ctx.block.x * BLOCK
                 //^ completes block, blocks
               //^ detail block: index uniform
               //^ inserts block: block.${1|x,y,z|}
                     //^ completes x, y, z
  let lane = ctx.
               //^ complete lane thread warp threads
               //^ resolve thread: varying
  let part: t = 1
          //^ inserts tile: tile<${1:f32}>[${2:16}, ${3:16}]
          //^ complete tile f32 !x
  var sum_of = 0.0
    //^ complete none
  for i in ra(0, 4) {
         //  ^ completes range
    
  //^ complete let var break continue sum_of i x base twice exp for !later !part2
  //^ detail base: index uniform
    let part2 = su
              //  ^ completes sum_of, sum
              //  ^ inserts sum: sum<over ctx.${1|lane,thread|}>(${2:x})
              //  ^ resolve sum: over the lanes of a warp
    sum_of += max<
                //^ completes over
                //^ inserts over: over ctx.${1|lane,thread|}
  }
  let later = twice(factor, 
                  //^ signature fn twice(v: f32, n: index) -> f32 | v: f32
                          //^ signature fn twice(v: f32, n: index) -> f32 | n: index
  let some = tmax(exp(x[base]), 1.0)
                //^ signature tmax(a, b) -> a | a
                    //^ signature exp(x: float) -> float | x: float
                    //   ^ signature exp(x: float) -> float | x: float
                              //^ signature tmax(a, b) -> a | b
  let all = elem(out, 4 :+ 4) + sum<over ctx.lane>(1.0) + shfl<xor >(1.0)
                    //^ signature elem(t, e) -> scalar | e
                                                 //^ signature sum<over ctx.lane | over ctx.thread>(x) -> x | x
                                    // ^ completes over
                                         //  ^ completes lane, thread
  out[base :+ BLOCK] = x[ba :+ 4]
                         //^ completes base, barrier
                         //^ resolve base: uniform
  tw
  //^ inserts twice: twice(${1:v}, ${2:n})
  //^ resolve twice: Twice a value.
}

ker
 //^ completes kernel
  
//^ complete kernel fn @launch !x !exp

@launch(T)
      //^ complete THREADS TM 128 !TN2
@autotune(THREADS in [64, 128], TM in [32, 64])
kernel sized(x: tensor<f32>[N], out: tensor<f32>[N]) {
  out[ctx.thread] = x[ctx.thread]
}

@launch(TM * )
           //^ complete THREADS TM !128
@autotune(THREADS in [64, 128], TM in [32, 64])
kernel product(x: tensor<f32>[N], out: tensor<f32>[N]) {
  out[ctx.thread] = x[ctx.thread]
}
