// Steps that are known only at run time, and ranges that are empty whatever the step.
//# run s=3 n=10 expect O=data/steps.four.npy
//# run s=1 n=0 expect O=data/steps.none.npy
//# run s=0 n=0 expect O=data/steps.none.npy
//# run s=-2 n=-5 expect O=data/steps.none.npy
@launch(32)
kernel counted(O: tensor<i32>[32], s: i32, n: i32) {
  var turns: i32 = 0
  for i in range(0, n, s) {
    turns += 1
  }
  O[ctx.lane] = turns
}
