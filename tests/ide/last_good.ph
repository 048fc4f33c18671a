// What was known before the text was broken is still told, where the text is what it was.
fn scaled(v: f32, by: f32) -> f32 {
  return v * by
}

//# run N=64 x=iota out=zeros
kernel work(x: tensor<f32>[N], out: tensor<f32>[N]) {
  let lane = ctx.
//< was   let lane = ctx.lane
//< hints none
  let next = lane + 1
    //^^^^ hover let next: index | **varying** | ctx.lane | As it was before the text was broken
    //^^^^ token variable declaration readonly varying
           //^^^^ hover let lane: index | **varying**
           //^^^^ token variable readonly varying
//< hints : varying@11
  let warp = ctx.warp
    //^^^^ hover **warp-uniform** | !As it was
//< hints : warp-uniform@11
  if warp == 0 {
    out[next] = scaled(x[lane], 2.0)
                       //^^^^ token variable readonly varying
//< hints v:@24 | by:@33
  }
}

kernel (x: tensor<f32>[N]) {
//< was kernel named(x: tensor<f32>[N]) {
//< lens ▷ Run named | Simulate | Compare | Step | Report
  let count = nosuch + 1
//< was   let count = 4 + 1
    //^^^^^ hover let count: ?
  let double = count * 2
    //^^^^^^ hover let double: index | As it was before
//< hints  = 10@25
  x[0] = f32(double)
           //^^^^^^ token variable readonly uniform
}

kernel whole(x: tensor<f32>[N]) {
//< lens ▶ Run whole | Simulate | Compare | Step | Report
  x[0] = 1.0
}
