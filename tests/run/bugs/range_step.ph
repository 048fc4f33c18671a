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
