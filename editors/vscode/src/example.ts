/** What the walkthrough begins with: a kernel whose values are of all three kinds, with a test. */
export const example = `// The sums of the rows of a matrix. Each warp takes a row; its lanes walk along it side by side.
// Hover over \`row\`, \`part\` and \`total\` to read how far each may differ between threads.

//# run M=64 N=1000 x=ones
//# run M=1 N=3 x=iota expect-print "total = 3"
@launch(128)
kernel row_sums(x: tensor<f32>[M, N], out: tensor<f32>[M]) {
  let row = ctx.block.x * ctx.warps + ctx.warp
  var part: f32 = 0.0
  if row < M {
    for k in range(ctx.lane, N, ctx.lanes) {
      part += x[row, k]
    }
  }
  let total = sum<over ctx.lane>(part)
  if ctx.lane == 0 && row < M {
    out[row] = total
    if M == 1 {
      print(total)
    }
  }
}
`;
