// An odd number never becomes 0 by steps of two.
//# run n=7 --max-steps 100000 --device sim expect-error "the kernel was stopped: block (0, 0, 0) took more than 100000 steps"
@launch(32)
kernel down(n: i32, Y: tensor<i32>[1]) {
  var left = n
  var steps: i32 = 0
  while left != 0 {
    left -= 2
    steps += 1
  }
  Y[0] = steps
}
