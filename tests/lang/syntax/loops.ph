// Loops as other languages write them, and slips in ours.
kernel ranges(A: tensor<f32>[64], n: i32) {
  for i in range(n) { A[i] = nope3 }               //! error: expected `,` and the end of the range   //~ fix: Start at 0   //! error: there is no `nope3` here
  for i in 0..n { A[i] = nope4 }                   //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n)`   //! error: there is no `nope4` here
  for i in 0..=n { A[i] = nope5 }                  //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n + 1)`   //! error: there is no `nope5` here
  for i in 0:n { A[i] = nope6 }                    //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n)`   //! error: there is no `nope6` here
  for i in n { A[i] = nope7 }                      //! error: expected `range(start, end)` behind `in`   //! error: there is no `nope7` here
  for i in 10 { A[i] = nope8 }                     //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, 10)`   //! error: there is no `nope8` here
  for i in xrange(0, n) { A[i] = nope9 }           //! error: expected `range(start, end)` behind `in`, not `xrange`   //~ fix: Write `range`   //! error: there is no `nope9` here
  for (int i = 0; i < n; i++) { A[i] = nope10 }     //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range   //! error: there is no `nope10` here
  for (var i = 0; i < n; i += 2) { A[i] = nope11 }  //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range   //! error: there is no `nope11` here
  for (i in range(0, n)) { A[i] = nope12 }          //! error: a loop's head has no parentheses   //~ fix: Remove the parentheses   //! error: there is no `nope12` here
  for i = 0; i < n; i++ { A[i] = nope13 }           //! error: a loop runs over a range: `for i in range(start, end)`   //! error: there is no `nope13` here
}

kernel slips(A: tensor<f32>[64], n: i32) {
  for i range(0, n) { A[i] = nope17 }               //! error: expected `in` behind the loop's variable   //~ fix: Insert `in`   //! error: there is no `nope17` here
  for i in (0, n) { A[i] = nope18 }                 //! error: expected `range` before the bounds   //~ fix: Insert `range`   //! error: there is no `nope18` here
  for i in range 0, n) { A[i] = nope19 }            //! error: expected `(` to begin the range   //~ fix: Insert `(`   //! error: there is no `nope19` here
  for i in range(0 n) { A[i] = nope20 }             //! error: expected `,` between two bounds   //~ fix: Insert `,`   //! error: there is no `nope20` here
  for i in range(0, n { A[i] = nope21 }             //! error: expected `)` to close the bounds opened here   //~ fix: Insert `)`   //~ related: opened here   //! error: there is no `nope21` here
  for i in range(0, n,) { A[i] = nope22 }           //! error: expected a value behind `,`   //! error: there is no `nope22` here
  for i in range() { A[i] = nope23 }                //! error: expected the start and the end of the range   //! error: there is no `nope23` here
  for i in range(, n) { A[i] = nope24 }             //! error: expected a value   //! error: there is no `nope24` here
  for in range(0, n) { A[0] = nope25 }              //! error: expected the loop's variable, not the keyword `in`   //! error: there is no `nope25` here
  i in range(0, n) { A[i] = nope26 }                //! error: a loop begins with `for`   //~ fix: Insert `for`   //! error: there is no `nope26` here
  for i, j in range(0, n) { A[i] = nope27 }         //! error: a loop has one variable   //! error: there is no `nope27` here
}

kernel unrolled(A: tensor<f32>[64], n: i32) {
  for<unroll=4> i in range(0, 64) { A[i] = nope31 }  //! error: unexpected `=`: the factor stands behind `unroll`, as in `for<unroll 4>`   //~ fix: Write `unroll N`   //! error: there is no `nope31` here
  for<unroll(4)> i in range(0, 64) { A[i] = nope32 }  //! error: unexpected `(`: the factor stands behind `unroll`, as in `for<unroll 4>`   //~ fix: Write `unroll N`   //! error: there is no `nope32` here
  for<unrol 4> i in range(0, 64) { A[i] = nope33 }  //! error: expected `unroll`, not `unrol`   //~ fix: Write `unroll`   //! error: there is no `nope33` here
  for<unroll i in range(0, 64) { A[i] = nope34 }    //! error: expected `>` behind `unroll`, not `i`   //~ fix: Insert `>`   //! error: there is no `nope34` here
  for<unroll 5000> i in range(0, 64) { A[i] = nope35 }  //! error: expected an unroll factor from 1 to 1024   //! error: there is no `nope35` here
}

kernel bodies(A: tensor<f32>[64], n: i32) {
  for i in range(0, n) A[i] = nope39                //! error: expected `{` to begin the loop's body   //~ fix: Put the body in `{ }`   //! error: there is no `nope39` here
  for i in range(0, n):                           //! error: a body is written in `{ }`   //~ fix: Put the body in `{ }`
    A[i] = nope41                                   //! error: there is no `nope41` here
  for i in range(0, n)                            //! error: expected `{` to begin the loop's body   //~ fix: Put the body in `{ }`
    A[i] = nope43                                   //! error: there is no `nope43` here
  A[0] = nope44                                     //! error: there is no `nope44` here
}

kernel down(A: tensor<f32>[N]) {
  for (int i = 10; i >= 0; i--) {                  //! error: a loop runs over a range: `for i in range(start, end)`; it counts up, so   //~ fix: Count up, and subtract
    A[i] = nope49                                    //! error: there is no `nope49` here
  }
  for (int i = 10; i > 2; --i) { A[i] = 1.0 }      //! error: it counts up, so   //~ fix: Count up, and subtract
}

kernel down_from_the_end(A: tensor<f32>[N]) {
  for (int i = N - 1; i >= 0; i -= 1) {            //! error: a loop runs over a range
    A[i] = 1.0
  }
  for i in range(N - 1, -1, -1) {                  //! error: the step of `range` must be positive, not -1; to count down, count up and take   //~ fix: Count up, and subtract
    A[i] = 2.0
  }
}

kernel down_by_two(A: tensor<f32>[N]) {
  for i in range(10, 2, -1) { A[i] = 2.0 }         //! error: must be positive, not -1   //~ fix: Count up, and subtract
}

kernel ranges_of_others(x: tensor<f32>[N], n: i32) {
  for i in tl.range(0, n) {                         //! error: expected `range(start, end)` behind `in`, not `tl.range`   //~ fix: Write `range`
    x[i] = 1.0
  }
  for i in tl.range(n) {                            //! error: not `tl.range`   //~ fix: Write `range`
    x[i] = 1.0
  }
  for i in tl.static_range(0, 4) {                  //! error: not `tl.static_range`   //~ fix: Write `for<unroll>` and `range`
    x[i] = 1.0
  }
  for i in enumerate(x) {                           //! error: expected `range(start, end)` behind `in`, not `enumerate`
    x[0] = 1.0
  }
  for i in reversed(range(0, 3)) {                  //! error: it counts up, so take `2 -   //~ fix: Count up, and subtract
    x[i] = 1.0
  }
  for j in reversed(range(n)) {                     //! error: it counts up, so take `n - 1 -   //~ fix: Count up, and subtract
    x[j] = 1.0
  }
  for i in (0..n).step_by(2) {                      //! error: expected `range` before the bounds   //~ fix: Insert `range`
    x[i] = 1.0
  }
}
