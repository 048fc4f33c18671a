// A loop that does nothing but multiply what it loads has a second entry, whose operands one thread asks for: results of 16 bits leave the same
// way, those of f32 from registers; 128 threads are two teams. With an early end, or counts that other CTAs may wait for,
// or for small tiles, there is none.
//. PTX: .entry halves_bulk(
//. PTX: .param .align 64 .b8 halves_bulk_param_
//. PTX: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
//. PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
//. PTX: stmatrix.sync.aligned.m8n8.x4.shared.b16
//. PTX: setmaxnreg.dec.sync.aligned.u32
//. PTX: setmaxnreg.inc.sync.aligned.u32
//. PTX: mbarrier.try_wait.parity.shared.b64
//. PTX: .entry sums_bulk(
//. PTX: .entry turns_bulk(
//. PTX: bar.arrive
//. PTX-NOT: .entry counted_bulk(
//. PTX-NOT: .entry ended_bulk(
//. PTX-NOT: .entry small_bulk(
@launch(256)
kernel halves(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 256
  var acc: tile<f32>[128, 256] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 128, k :+ 64], B[k :+ 64, c :+ 256])
  }
  C[r :+ 128, c :+ 256] = tmax(acc, 0.0)
}

@launch(384)
kernel sums(A: tensor<bf16>[M, K], B: tensor<bf16>[N, K], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 192
  let c = ctx.block.x * 128
  var acc: tile<f32>[192, 128] = 1.0
  for k in range(0, K, 64) {
    acc += dot_t(A[r :+ 192, k :+ 64], B[c :+ 128, k :+ 64])
  }
  C[r :+ 192, c :+ 128] = acc
}

@launch(128)
kernel turns(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 128, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc
}

@launch(128)
kernel counted(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f32>[M, N], n: tensor<i32>[1]) {
  let r = ctx.block.y * 64
  let c = ctx.block.x * 128
  var acc: tile<f32>[64, 128] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 64, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 64, c :+ 128] = acc
  let _before = atomic_add(n, 0, 1)
}

@launch(128)
kernel ended(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 64
  let c = ctx.block.x * 128
  if r >= M {
    return
  }
  var acc: tile<f32>[64, 128] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 64, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 64, c :+ 128] = acc
}

@launch(128)
kernel small(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 64
  let c = ctx.block.x * 64
  var acc: tile<f32>[64, 64] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 64, k :+ 64], B[k :+ 64, c :+ 64])
  }
  C[r :+ 64, c :+ 64] = acc
}
