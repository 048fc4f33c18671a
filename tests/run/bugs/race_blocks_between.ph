// Of three CTAs that write an element the one in the middle writes something else: it is named.
//# run O=zeros --grid 8 --device sim expect-error "block (5, 0, 0) writes `O[0]`, which block (3, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel middle(O: tensor<i32>[1]) {
  if ctx.block.x == 3 { O[0] = 2 }
  if ctx.block.x == 5 { O[0] = 1 }
  if ctx.block.x == 7 { O[0] = 2 }
}

// Of many, each row another.
//# run O=zeros --grid 8 --device sim expect-error "block (6, 0, 0) writes `O[1, 0]`, which block (0, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel row(O: tensor<i32>[4, 64]) {
  O[:, :] = where(iota(4, 64, 0) == 1, i32(ctx.block.x) / 6, 9)
}

// A CTA that writes two values, and one behind it that writes the second of them.
//# run O=zeros --grid 4 --device sim expect-error "writes `O[0]`, which block (1, 0, 0) wrote, and nothing orders the two"
@launch(32)
kernel twice(O: tensor<i32>[1]) {
  if ctx.block.x == 1 {
    O[0] = 1
    barrier()
    O[0] = 2
  }
  if ctx.block.x == 3 { O[0] = 2 }
}
