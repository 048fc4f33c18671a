fn weighted(v: f32, weight: f32) -> f32 {
  return v * weight
}

kernel work(x: tensor<f32>[N], out: tensor<f32>[N], weight: f32) {
  let base = ctx.block.x * 128
//< hints none
  let tile_size = 4 * 32
//< hints  = 128@25
  let literal = 64
//< hints none
  let row = x[base :+ 128]
//< hints : tile<f32>[128]@10
  let lane = ctx.lane
//< hints : varying@11
         //^ hints : varying@11
  var warp = ctx.warp
//< hints : warp-uniform@11
        //^ hint same in every lane of a warp
        //^ hint ctx.warp
  for i in range(0, 4) {
//< hints none
    warp += 2
  }
  let typed: tile<f32>[128] = row * 2.0
//< hints none
  for j in range(0, lane) {
//< hints : varying@8
    out[j] = f32(warp)
  }
  out[base :+ 128] = typed * weighted(1.0, weight) + weighted(weight, 2.0)
//< hints v:@39 | v:@63 | weight:@71
                                    //^ hint a parameter
}
