// Contractions of f32 have an entry for bulk copies too, in which wgmma multiplies the transpose: all of f32 in three products, with a third role between
// the copies and the multiplications; or as tf32, to which the copies round. `@precise`, and inner extents that are too short, have none.
//. PTX: .entry all_bulk(
//. PTX: wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32
//. PTX: .entry along_bulk(
//. PTX: .entry rounded_bulk(
//. PTX: wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32
//. PTX: .entry rounded_along_bulk(
//. PTX: .entry turns_bulk(
//. PTX-NOT: .entry exact_bulk(
//. PTX-NOT: .entry short_bulk(
//. PTX-NOT: st.local
@launch(256)
kernel all(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 128, k :+ 32], B[k :+ 32, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = tmax(acc, 0.0)
}

@launch(256)
kernel along(A: tensor<f32>[M, K], B: tensor<f32>[N, K], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot_t(A[r :+ 128, k :+ 32], B[c :+ 128, k :+ 32])
  }
  C[r :+ 128, c :+ 128] = acc
}

@launch(256)
@tensorcore(tf32)
kernel rounded(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 256
  let c = ctx.block.x * 128
  var acc: tile<f32>[256, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 256, k :+ 32], B[k :+ 32, c :+ 128])
  }
  C[r :+ 256, c :+ 128] = acc
}

@launch(256)
@tensorcore
kernel rounded_along(A: tensor<f32>[M, K], B: tensor<f32>[N, K], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 256
  var acc: tile<f32>[128, 256] = 0.0
  for k in range(0, K, 32) {
    acc += dot_t(A[r :+ 128, k :+ 32], B[c :+ 256, k :+ 32])
  }
  C[r :+ 128, c :+ 256] = acc
}

@launch(128)
kernel turns(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 64
  var acc: tile<f32>[128, 64] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 128, k :+ 64], B[k :+ 64, c :+ 64])
  }
  C[r :+ 128, c :+ 64] = acc
}

@launch(256)
@precise
kernel exact(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 128, k :+ 32], B[k :+ 32, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc
}

@launch(256)
kernel short(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 16) {
    acc += dot(A[r :+ 128, k :+ 16], B[k :+ 16, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc
}
