// What orders accesses, what needs no order, and what a mask keeps from mattering: no finding here, whatever the number of workers.

// A flag that is released when the data is there, and acquired before it is read.
//# run data=zeros flag=zeros --grid 2 expect out=data/ordered.out.npy rtol=0
@launch(32)
kernel hand_over(data: tensor<i32>[32], flag: tensor<i32>[1], out: tensor<i32>[32]) {
  if ctx.block.x == 0 {
    data[ctx.thread] = i32(ctx.thread) + 1
    store_release(flag, 0, 1)
  } else {
    while load_acquire(flag, 0) == 0 {
    }
    out[ctx.thread] = data[ctx.thread]
  }
}

// A running total from CTA to CTA, each waiting for the one before it: what the first wrote reaches the last by way of the others.
//# run data=zeros flag=zeros G=6 --grid 6 expect out=data/ordered.chain.npy rtol=0
@launch(32)
kernel chain(data: tensor<i32>[G, 32], flag: tensor<i32>[G], out: tensor<i32>[G, 32]) {
  let b = ctx.block.x
  var total = i32(ctx.thread)
  if b > 0 {
    while load_acquire(flag, b - 1) == 0 {
    }
    for i in range(0, b) {
      total += data[i, ctx.thread]
    }
  }
  data[b, ctx.thread] = total
  out[b, ctx.thread] = total
  store_release(flag, b, 1)
}

// All CTAs write a part, meet, and read the next one's; twice, in place.
//# run bar=zeros data=zeros --grid 4 expect out=data/ordered.ring.npy bar=data/ordered.bar.npy rtol=0
//# run bar=zeros data=zeros --grid 2,2 expect-error "`grid_barrier` needs a grid of one axis, not one of 2 x 2 x 1 CTAs"
@launch(32)
@persistent
kernel ring(bar: tensor<i32>[2], data: tensor<i32>[4, 32], out: tensor<i32>[4, 32]) {
  let b = ctx.block.x
  data[b, ctx.thread] = i32(b) * 100 + i32(ctx.thread)
  grid_barrier(bar)
  let next = data[(b + 1) % 4, ctx.thread]
  grid_barrier(bar)
  data[b, ctx.thread] = next
  grid_barrier(bar)
  out[b, ctx.thread] = data[(b + 2) % 4, ctx.thread]
}

// Everybody writes the same, more than once; a thread reads back what it wrote itself; a tile stored whole needs no barrier before
// threads read it, nor before they store to it again.
//# run X=data/ordered.X.npy expect out=data/ordered.same.npy rtol=0
@launch(64)
kernel same(X: tensor<i32>[1, 64], out: tensor<i32>[5, 64]) {
  for i in range(0, 3) {
    out[0, 0] = i32(i)
    out[1, ctx.warp] = i32(i) + i32(ctx.warp)
  }
  out[2, ctx.thread] = X[0, ctx.thread]
  out[2, ctx.thread] += out[2, ctx.thread]
  var t: tile<i32>[1, 64] = X[:, 0 :+ 64]
  out[3, ctx.thread] = t[0, 63 - ctx.thread]
  t = t + 1
  t[0, ctx.thread] = t[0, ctx.thread] * 2
  barrier()
  t[0, (ctx.thread + 1) % 64] += 5
  barrier()
  out[4 :+ 1, :] = t
}

// Past the edge a slice reads 0; dividing by that harms nobody, since nothing of it is stored. So does an element of `t` that no thread
// has written.
//# run X=full:4 N=40 expect Y=data/ordered.edge.npy rtol=0
@launch(32)
kernel edge(X: tensor<i32>[1, N], Y: tensor<i32>[1, N]) {
  let at = ctx.block.x * 32
  var t: tile<i32>[1, 32]
  if at + ctx.thread < N {
    t[0, ctx.thread] = X[0, at + ctx.thread]
  }
  barrier()
  Y[:, at :+ 32] = 100 / X[:, at :+ 32] + t
}

// CTAs that all write the same, and read it only behind that, agree whoever comes first.
//# run P=zeros O=zeros --grid 8 expect P=data/ordered.agree.npy rtol=0
@launch(32)
kernel agree(P: tensor<f32>[8], O: tensor<f32>[2]) {
  O[0] = 1.5
  P[ctx.block.x] = O[0]
  O[1] = f32(ctx.blocks.x)
}

// The count of a barrier begins at 0; from anything else the CTAs would wait for others than there are.
//# run bar=full:3 --grid 4 expect-error "`bar` begins with 3: `grid_barrier` counts the CTAs in it, from 0 on; give bar=zeros"
@launch(32)
@persistent
kernel meet(bar: tensor<i32>[2]) {
  grid_barrier(bar)
}
