// Kernels whose names the code generator, or the host that emulates it, has for functions of its own.
//# run x=full:0.5 expect seen=data/raster.seen.npy
@launch(64)
kernel ceilf(x: tensor<f32>[370], seen: tensor<i32>[370]) { seen[0 :+ 512] = i32(ceil(x[0 :+ 512])) }

//# run x=full:0.5 expect seen=data/raster.seen.npy
@launch(64)
kernel floorf(x: tensor<f32>[370], seen: tensor<i32>[370]) { seen[0 :+ 512] = i32(floor(x[0 :+ 512] + 0.75)) }

//# run expect seen=data/raster.seen.npy
@launch(64)
kernel memset(seen: tensor<i32>[370]) { seen[0 :+ 512] = 1 }

//# run n=3 expect-print "3"
@launch(32)
kernel vprintf(n: i32, seen: tensor<i32>[1]) {
  print(n)
  seen[0 :+ 1] = n
}

//# run expect seen=data/raster.seen.npy
@launch(64)
kernel WARP_SZ(seen: tensor<i32>[370]) { seen[0 :+ 512] = 1 }
