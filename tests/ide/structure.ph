// A file's head,
//< fold 2 comment
// of several lines.
fn twice(v: f32) -> f32 {
//< fold 4
  return v + v
           //^ selection v | v + v | return v + v
    // ^ incoming none
}

// Of two lines,
// above its run line.
//# run N=64 src=a.npy out=zeros expect out="b c.npy" // and more
               //^^^^^ link /tests/ide/a.npy
                         //^^^^^ link none
                                           //^^^^^^^ link /tests/ide/b%20c.npy
@autotune(BLOCK in [64, 128])
kernel work(src: tensor<f32>[N],
//< fold 4
//< lens ▶ Run work | ▶ N=64 src=a.npy out=zeros expect out="b c.npy" // and more | Simulate | Compare | Step | Tune | Report
     //^ outgoing twice*2
     //^ incoming nothing
            out: tensor<f32>[N]) {
  let base = ctx.block.x * BLOCK
  if base < N {
//< fold 4
    out[base] = twice(src[base]) + twice(1.0)
              //^ incoming work*2
                        //^ selection base | src[base] | twice(src[base]) | twice(src[base]) + twice(1.0) | out[base] = twice(src[base]) + twice(1.0)
  }
}

kernel plain(out: tensor<f32>[64]) {
//< lens ▶ Run plain | Simulate | Compare | Step | Report
//< symbols twice(v) work(BLOCK,src,out) plain(out)
  out[0] = 1.0
}
