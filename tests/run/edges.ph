// Ranges that end where their type does: what comes behind the last value does not fit, and is not counted to.

//# run a=9223372036854775800 O=zeros --grid 1 expect-print "n = 3, last = 9223372036854775806"
//# run a=9223372036854775806 O=zeros --grid 1 expect-print "n = 1, last = 9223372036854775806"
//# run a=9223372036854775807 O=zeros --grid 1 expect-print "n = 0, last = 0"
@launch(32)
kernel wide(O: tensor<i64>[1], a: i64) {
  var n = 0
  var last: i64 = 0
  for i in range(a, 9223372036854775807, 3) {
    n += 1
    last = i
  }
  print(n, last)
  O[0] = last
}

//# run a=2147483600 b=2147483647 s=30 O=zeros --grid 1 expect-print "n = 2, sum = 4294967230"
//# run a=-2147483648 b=2147483647 s=2147483647 O=zeros --grid 1 expect-print "n = 3, sum = -3"
//# run a=2147483646 b=2147483647 s=2147483647 O=zeros --grid 1 expect-print "n = 1, sum = 2147483646"
@launch(32)
kernel narrow(O: tensor<i64>[1], a: i32, b: i32, s: i32) {
  var n = 0
  var sum: i64 = 0
  for i in range(a, b, s) {
    n += 1
    sum += i64(i)
  }
  print(n, sum)
  O[0] = sum
}

//# run a=100 b=127 s=20 O=zeros --grid 1 expect-print "n = 2"
//# run a=-128 b=127 s=127 O=zeros --grid 1 expect-print "n = 3"
@launch(32)
kernel bytes(O: tensor<i32>[1], a: i8, b: i8, s: i8) {
  var n: i32 = 0
  for _i in range(a, b, s) {
    n += 1
  }
  print(n)
  O[0] = n
}

//# run a=0 b=255 s=100 O=zeros --grid 1 expect-print "n = 3"
//# run a=250 b=255 s=255 O=zeros --grid 1 expect-print "n = 1"
@launch(32)
kernel unsigned(O: tensor<i32>[1], a: u8, b: u8, s: u8) {
  var n: i32 = 0
  for _i in range(a, b, s) {
    n += 1
  }
  print(n)
  O[0] = n
}

// Each thread has a range of its own.
//# run a=2147483600 O=zeros --grid 1 expect-print "most = 16"
@launch(32)
kernel apart(O: tensor<i32>[32], a: i32) {
  var n: i32 = 0
  for _i in range(a + i32(ctx.lane), 2147483647, 3) {
    n += 1
  }
  let most = max<over ctx.lane>(n)
  print(most)
  O[ctx.lane] = n
}

// The turns that are copied ahead of the loop would begin past the last number.
//# run a=2147483600 A=ones B=ones O=zeros --grid 1 expect-print "total = 262144"
@launch(128)
kernel ahead(A: tensor<f16>[64, 64], B: tensor<f16>[64, 64], O: tensor<f32>[64, 64], a: i32) {
  var acc: tile<f32>[64, 64] = 0.0
  for k in range(a, 2147483647, 32) {
    let at = k - a
    acc += dot(A[:, at :+ 32], B[at :+ 32, :])
  }
  O[:, :] = acc
  let total = rowsum(flat(acc))[0, 0]
  print(total)
}
