// Contractions that bulk copies bring on sm_90a, at edges, in one round and in several; and where rows are no multiple of 16 bytes, which they do not
// take. Without an expectation the simulator says what is right.
//# run M=300 N=520 K=200 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=128 N=128 K=64 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=1 N=8 K=8 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=257 N=264 K=1000 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=130 N=257 K=129 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=130 N=256 K=0 A=zeros B=zeros
@launch(256)
kernel shared(A: tensor<f16>[M, K], B: tensor<f16>[K, N], C: tensor<f16>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 128, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = tmax(acc, -100.0)
}

//# run M=300 N=520 K=200 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=1000 N=136 K=328 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=65 N=129 K=70 A=randint:-3:4:1 B=randint:-3:4:2
@launch(128)
kernel in_turns(A: tensor<bf16>[M, K], B: tensor<bf16>[K, N], C: tensor<bf16>[M, N]) {
  let r = ctx.block.y * 64
  let c = ctx.block.x * 128
  var acc: tile<f32>[64, 128] = 1.0
  for k in range(0, K, 64) {
    acc += dot(A[r :+ 64, k :+ 64], B[k :+ 64, c :+ 128])
  }
  C[r :+ 64, c :+ 128] = acc
}

//# run M=300 N=528 K=400 A=randint:-9:9:1 B=randint:-9:9:2
//# run M=130 N=130 K=130 A=randint:-9:9:1 B=randint:-9:9:2
@launch(256)
kernel of_bytes(A: tensor<i8>[M, K], B: tensor<i8>[N, K], C: tensor<i32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<i32>[128, 128] = 0
  for k in range(0, K, 128) {
    acc += dot_t(A[r :+ 128, k :+ 128], B[c :+ 128, k :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc
}

//# run M=130 N=264 K=100 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=257 N=132 K=36 A=randn:1 B=randn:2
//# run M=130 N=257 K=129 A=randint:-3:4:1 B=randint:-3:4:2
//# run M=1 N=4 K=4 A=randn:1 B=randn:2
@launch(256)
kernel of_f32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N]) {
  let r = ctx.block.y * 128
  let c = ctx.block.x * 128
  var acc: tile<f32>[128, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 128, k :+ 32], B[k :+ 32, c :+ 128])
  }
  C[r :+ 128, c :+ 128] = acc + 1.0
}

//# run M=130 N=264 K=100 A=randint:-3:4:1 B=randint:-3:4:2
@launch(256)
@tensorcore(tf32)
kernel of_tf32(A: tensor<f32>[M, K], B: tensor<f32>[K, N], C: tensor<f32>[M, N], S: tensor<f32>[M, 1]) {
  let r = ctx.block.y * 256
  var acc: tile<f32>[256, 128] = 0.0
  for k in range(0, K, 32) {
    acc += dot(A[r :+ 256, k :+ 32], B[k :+ 32, ctx.block.x * 128 :+ 128])
  }
  C[r :+ 256, ctx.block.x * 128 :+ 128] = acc
  if ctx.block.x == 0 {
    S[r :+ 256, :] = rowsum(acc)
  }
}
