// A step that is known only at run time, and is not positive.

//# run O=zeros s=0 --grid 1 --device sim expect-error "`range` cannot count in steps of 0: a step is positive (block (0, 0, 0), thread 0)"
//# run O=zeros s=-1 --grid 1 --device sim expect-error "`range` cannot count in steps of -1: a step is positive"
@launch(32)
kernel given(O: tensor<i32>[1], s: i32) {
  var n: i32 = 0
  for i in range(0, 10, s) {
    n += 1
  }
  O[0] = n
}

//# run O=zeros --grid 1 --device sim expect-error "`range` cannot count in steps of 0: a step is positive (block (0, 0, 0), thread 0)"
@launch(32)
kernel by_lane(O: tensor<i32>[32]) {
  var n: i32 = 0
  for i in range(0, 10, ctx.lane) {
    n += 1
  }
  O[ctx.lane] = n
}

//# run O=zeros a=9223372036854775800 --grid 1 --device sim expect-error "`range` cannot count in steps of 3: 9223372036854775806 + 3 does not fit i64"
@launch(32)
kernel to_the_edge(O: tensor<i32>[1], a: i64) {
  var n: i32 = 0
  for i in range(a, 9223372036854775807, 3) { n += 1 }
  O[0] = n
}
