// `print` under any control and at any type; the lines are the same on every device.

//# run x=iota n=7 O=zeros expect-print "block (0, 0, 0): n = 7, 2 * n = 14, n > 3 = true"
//# run x=iota n=7 O=zeros expect-print "block (0, 0, 0) warp 1 lane 5: v = 37.5"
//# run x=iota n=7 O=zeros expect-print "block (0, 0, 0) warp 0: ctx.warp = 0"
//# run x=iota n=7 O=zeros expect-print "block (0, 0, 0) warps 0-1 lanes 0-2, 31: reached"
//# run x=iota n=7 O=zeros expect-print "block (0, 0, 0) warps 0-1 lane 1: x[4 * ctx.lane :+ 4] = [4, 5, 6, 7]"
//# run x=iota n=7 O=zeros expect-print "warps 0-1 lanes 0-15: ctx.lane / 16 = 0"
@launch(64)
kernel scalars(x: tensor<f32>[64], O: tensor<f32>[64], n: i32) {
  print(n, 2 * n, n > 3)
  let v = x[ctx.thread] + 0.5
  print(v)
  print(ctx.warp)
  if ctx.lane < 3 || ctx.lane == 31 {
    print()
    print(x[4 * ctx.lane :+ 4])
  }
  print(ctx.lane / 16)
  O[ctx.thread] = v
}

//# run h=full:0.1 b=full:0.1 d=full:0.1 f=full:0.1 q=full:-7 u=full:200 l=full:-5000000000 O=zeros expect-print "h[0] = 0.099975586"
//# run h=full:0.1 b=full:0.1 d=full:0.1 f=full:0.1 q=full:-7 u=full:200 l=full:-5000000000 O=zeros expect-print "b[0] = 0.100097656"
//# run h=full:0.1 b=full:0.1 d=full:0.1 f=full:0.1 q=full:-7 u=full:200 l=full:-5000000000 O=zeros expect-print "f[0] = 0.1, d[0] = 0.1, q[0] = -7, u[0] = 200, l[0] = -5000000000"
//# run h=full:0.1 b=full:0.1 d=full:0.1 f=full:inf q=full:-7 u=full:200 l=full:0 O=zeros expect-print "f[0] = inf"
//# run h=full:0.1 b=full:0.1 d=full:0.1 f=full:nan q=full:-7 u=full:200 l=full:0 O=zeros expect-print "f[0] = nan"
@launch(32)
kernel types(h: tensor<f16>[32], b: tensor<bf16>[32], f: tensor<f32>[32], d: tensor<f64>[32], q: tensor<i8>[32],
             u: tensor<u8>[32],
             l: tensor<i64>[32], O: tensor<i32>[32]) {
  print(h[0])
  print(b[0])
  print(f[0], d[0], q[0], u[0], l[0])
  O[ctx.lane] = 1
}

// Each CTA tells of itself, and each round of a loop once.
//# run O=zeros --grid 3 expect-print "block (2, 0, 0) lanes 3-31: i = 2, 100 % 7 = 2"
//# run O=zeros --grid 3 expect-print "block (1, 0, 0) lanes 2-31: i = 1"
@launch(32)
kernel rounds(O: tensor<i32>[3, 32]) {
  for i in range(0, ctx.lane) {
    print(i, 100 % 7)
  }
  O[ctx.block.x, ctx.lane] = 1
}

fn clamped(x: f32) -> f32 {
  if x > 2.0 {
    print(x)
    return 2.0
  }
  return x
}

//# run x=iota O=zeros expect-print "lane 3: x = 3"
@launch(32)
kernel in_function(x: tensor<f32>[32], O: tensor<f32>[32]) {
  O[ctx.lane] = clamped(x[ctx.lane])
}
