// Halve it if it is even, else triple it and add one: how many steps to reach 1, and how high on the way?
//
// Every thread follows a number of its own for as long as it takes, so control differs between the threads of a warp from the
// first `if` on. That is fine for what a thread does on its own. (Hover `n`: it is varying, and the reason leads to `ctx.thread`.)
// A function is inlined where it is called; its early `return` leaves the function, for the threads that reach it.

// The number after `n`.
fn next(n: i64) -> i64 {
  if n % 2 == 0 {
    return n / 2
  }
  return 3 * n + 1
}

//# run N=500 expect steps=data/collatz.steps.npy peaks=data/collatz.peaks.npy rtol=0
@launch(64)
kernel collatz(steps: tensor<i32>[N], peaks: tensor<i64>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i >= N {
    return
  }
  var n = i64(i + 1)
  var peak = n
  var count: i32 = 0
  while n > 1 {
    n = next(n)
    peak = tmax(peak, n)
    count += 1
  }
  steps[i] = count
  peaks[i] = peak
}
