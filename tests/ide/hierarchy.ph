// Which part of each tensor a CTA, a warp or a lane has, and what `ctx` is for it.

//# run M=288 N=416 A=ones C=zeros
@launch(128)
kernel tiles(A: tensor<f32>[M, 32], C: tensor<f32>[M, N]) {
     //^ grid 5 x 7 x 1 = ceil(288 / 64), ceil(416 / 64)
     //^ grid {"grid": [2, 3]} -> 2 x 3 x 1 = given, given, given
     //^ grid {"dimensions": {"M": 65}} -> 2 x 7 x 1 = ceil(65 / 64), ceil(416 / 64)
     //^ accesses {"block": [1, 2]} -> load A 64:128,0:32 | store C 64:128,128:192
     //^ accesses {"block": [4, 6]} -> load A 256:320/288,0:32 | store C 256:320/288,384:448/416
     //^ ctx {"block": [1, 2]} -> ctx.blocks.x 5 ceil(288 / 64) | ctx.block.y 2 | ctx.warps 4 128 / 32 | !rounded
     //^ ctx {"block": [1, 2], "thread": 113} -> ctx.warp 3 113 / 32, rounded down | ctx.lane 17 113 - 3 * 32 | ctx.threads 128 @launch(128)
     //^ threads 128
  let pm = ctx.block.x
  let pn = ctx.block.y
  var a = A[pm * 64 :+ 64, :]
  C[pm * 64 :+ 64, pn * 64 :+ 64] = rowsum(a)
}

// Lanes walk a row side by side; a warp has a row.
//# run N=100 K=128
@launch(256)
kernel walk(W: tensor<f32>[N, K], y: tensor<f32>[1, N]) {
     //^ grid 13 x 1 x 1 = ceil(100 / 8)
     //^ accesses {"block": [1]} -> load. W 8:16,0:128 | maybe store. y 0:1,8:16
     //^ accesses {"block": [1], "thread": 33} -> load. W 9:10,1..97+32:1 | no store. y 0:1,9:10
     //^ accesses {"block": [1], "warp": 2} -> load. W 10:11,0:128 | maybe store. y 0:1,10:11
     //^ accesses {"block": [12], "thread": 128} -> no load. W 100:101/100,0..96+32:1 | no store. y 0:1,100:101/100
  let row = ctx.block.x * ctx.warps + ctx.warp
  var acc: f32 = 0.0
  if row < N {
    for k in range(ctx.lane, K, ctx.lanes) {
      acc += W[row, k]
    }
  }
  let total = sum<over ctx.lane>(acc)
  if ctx.lane == 0 && row < N {
    y[0, row] = total
  }
}

// A guard that leaves, a function, a run of four, and what only the run knows.
fn scaled(t: tensor<f32>[N], at: i64) -> f32 {
  return sum(t[at :+ 4]) * 2.0
}
//# run N=1024 picks=iota
@launch(64)
kernel guarded(x: tensor<f32>[N], picks: tensor<i32>[N], out: tensor<f32>[N]) {
     //^ accesses {"block": [0], "thread": 5} -> load. x 20:24 | load. picks 5:6 | store. out 5:6 | load. x ?
     //^ grid 16 x 1 x 1 = ceil(1024 / 64)
  let i = ctx.block.x * 64 + ctx.thread
  if i >= N { return }
  let v = scaled(x, i64(i * 4 % 1024))
  let p = picks[i]
  out[i] = v + x[i64(p)]
}

// Half a warp, and a grid that nothing says.
@launch(48)
kernel half(out: tensor<i32>[N]) {
     //^ threads 48, not whole: 32
     //^ grid where `out` is stored to depends on more than multiples of `ctx.block`
     //^ ctx !ctx.warps 1 | ctx.lanes 32 the target
  var at = 0
  while at < N {
    at += ctx.blocks.x
  }
  out[at] = 1
}

// Elements and runs at row-major positions, and what is done once per CTA.
//# run N=256 M=8 count=zeros
@launch(64)
kernel positions(x: tensor<f32>[N], W: tensor<f32>[M, 48], count: tensor<i32>[2], out: tensor<f32>[N]) {
     //^ grid 4 x 1 x 1 = ceil(256 / 64)
     //^ accesses {"block": [1], "thread": 33} -> load. x 97:98 | load. W# 132:136 | atomic count 1:2 | load count 0:1 | store. out 97:98 | store count 0:1
     //^ accesses {"block": [3], "warp": 0} -> load. x 192:224 | load. W# 0:128 | atomic count 1:2 | load count 0:1 | store. out 192:224 | store count 0:1
  let i = ctx.block.x * 64 + ctx.thread
  let v = elem(x, i) + sum(elem(W, 4 * ctx.thread :+ 4))
  let ticket = atomic_add(count, 1, 1)
  let seen = load_acquire(count, 0)
  store(out, i, v)
  store_release(count, 0, ticket + seen)
}

// A position that moves with the CTA says no axis; and an axis that no store moves with says no grid.
@launch(32)
kernel flat_store(W: tensor<f32>[N, 32]) {
     //^ grid `W` is stored to at positions in row-major order
  store(W, ctx.block.x * 32 + ctx.thread, 1.0)
}
@launch(32)
kernel counted(hits: tensor<i32>[1], x: tensor<i32>[N]) {
     //^ grid no store starts at a multiple of `ctx.block.x`
     //^ accesses {"grid": [4], "block": [2]} -> load x 64:96 | atomic hits 0:1
  let t = x[ctx.block.x * 32 :+ 32]
  let old = atomic_add(hits, 0, t[0])
}

// What is autotuned takes its first choice, or that of the run line, or the one that is asked for.
//# run M=300 N=512 BM=64 C=zeros
//# run M=256 N=512 C=zeros
@launch(128)
@autotune(BM in [128, 64, 32], BN in [32, 64])
kernel tuned(C: tensor<f32>[M, N]) {
     //^ grid 5 x 16 x 1 = ceil(300 / 64), ceil(512 / 32)
     //^ grid {"dimensions": {"BN": 64, "BM": 32}} -> 10 x 8 x 1 = ceil(300 / 32), ceil(512 / 64)
     //^ grid {"runLine": 1} -> 2 x 16 x 1 = ceil(256 / 128), ceil(512 / 32)
     //^ accesses {"block": [1, 2]} -> store C 64:128,64:96
  C[ctx.block.x * BM :+ BM, ctx.block.y * BN :+ BN] = 1.0
}

// A CTA's size by a constant.
//# run N=256 TM=128
@launch(TM * 2)
@autotune(TM in [32, 64, 128])
kernel sized(out: tensor<i32>[N]) {
     //^ threads 256
     //^ ctx ctx.threads 256 @launch | ctx.warps 8 256 / 32
  out[ctx.block.x * ctx.threads + ctx.thread] = i32(TM)
}
