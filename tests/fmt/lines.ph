kernel lines(X: tensor<f32>[M, 64],
    // a comment of its own
  Y: tensor<f32>[M, 64], // beside Y

      n: i32
  ) {
  let a = n +
    3 *
      n
  let b = (n
    + 3
      + 4)
  let c = foo(
        n,
      bar(
      n, 3
      ), // the last
  )
  let d = foo(n,
  bar(n,
  3)
  )
  let e = foo
  barrier(
  )
  let f = X[
    0, 0
  ]; let g = 3; let h = g;
  if n > 3 { barrier() }
  if n > 3 { barrier(); barrier() }
  if n > 3 { barrier() } else { return }
  if n > 3 { barrier() } else if n > 4 { return } else {
    return
  }
  while true { if n > 3 { break } }
  for i in range(0, 4) { }
  for i in range(
    0, 4) { barrier() }
  let i =
    // why
    n
  return // here


  return
}
