// Loops as other languages write them, and slips in ours.
kernel ranges(A: tensor<f32>[64], n: i32) {
  for i in range(n) { A[i] = nope }               //! error: expected `,` and the end of the range   //~ fix: Start at 0   //! error: there is no `nope` here
  for i in 0..n { A[i] = nope }                   //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n)`   //! error: there is no `nope` here
  for i in 0..=n { A[i] = nope }                  //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n + 1)`   //! error: there is no `nope` here
  for i in 0:n { A[i] = nope }                    //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, n)`   //! error: there is no `nope` here
  for i in n { A[i] = nope }                      //! error: expected `range(start, end)` behind `in`   //! error: there is no `nope` here
  for i in 10 { A[i] = nope }                     //! error: expected `range(start, end)` behind `in`   //~ fix: Write `range(0, 10)`   //! error: there is no `nope` here
  for i in xrange(0, n) { A[i] = nope }           //! error: expected `range(start, end)` behind `in`, not `xrange`   //~ fix: Write `range`   //! error: there is no `nope` here
  for (int i = 0; i < n; i++) { A[i] = nope }     //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range   //! error: there is no `nope` here
  for (var i = 0; i < n; i += 2) { A[i] = nope }  //! error: a loop runs over a range: `for i in range(start, end)`   //~ fix: Write a range   //! error: there is no `nope` here
  for (i in range(0, n)) { A[i] = nope }          //! error: a loop's head has no parentheses   //~ fix: Remove the parentheses   //! error: there is no `nope` here
  for i = 0; i < n; i++ { A[i] = nope }           //! error: a loop runs over a range: `for i in range(start, end)`   //! error: there is no `nope` here
}

kernel slips(A: tensor<f32>[64], n: i32) {
  for i range(0, n) { A[i] = nope }               //! error: expected `in` behind the loop's variable   //~ fix: Insert `in`   //! error: there is no `nope` here
  for i in (0, n) { A[i] = nope }                 //! error: expected `range` before the bounds   //~ fix: Insert `range`   //! error: there is no `nope` here
  for i in range 0, n) { A[i] = nope }            //! error: expected `(` to begin the range   //~ fix: Insert `(`   //! error: there is no `nope` here
  for i in range(0 n) { A[i] = nope }             //! error: expected `,` between two bounds   //~ fix: Insert `,`   //! error: there is no `nope` here
  for i in range(0, n { A[i] = nope }             //! error: expected `)` to close the bounds opened here   //~ fix: Insert `)`   //~ related: opened here   //! error: there is no `nope` here
  for i in range(0, n,) { A[i] = nope }           //! error: expected a value behind `,`   //! error: there is no `nope` here
  for i in range() { A[i] = nope }                //! error: expected the start and the end of the range   //! error: there is no `nope` here
  for i in range(, n) { A[i] = nope }             //! error: expected a value   //! error: there is no `nope` here
  for in range(0, n) { A[0] = nope }              //! error: expected the loop's variable, not the keyword `in`   //! error: there is no `nope` here
  i in range(0, n) { A[i] = nope }                //! error: a loop begins with `for`   //~ fix: Insert `for`   //! error: there is no `nope` here
  for i, j in range(0, n) { A[i] = nope }         //! error: a loop has one variable   //! error: there is no `nope` here
}

kernel unrolled(A: tensor<f32>[64], n: i32) {
  for<unroll=4> i in range(0, 64) { A[i] = nope }  //! error: unexpected `=`: the factor stands behind `unroll`, as in `for<unroll 4>`   //~ fix: Write `unroll N`   //! error: there is no `nope` here
  for<unroll(4)> i in range(0, 64) { A[i] = nope }  //! error: unexpected `(`: the factor stands behind `unroll`, as in `for<unroll 4>`   //~ fix: Write `unroll N`   //! error: there is no `nope` here
  for<unrol 4> i in range(0, 64) { A[i] = nope }  //! error: expected `unroll`, not `unrol`   //~ fix: Write `unroll`   //! error: there is no `nope` here
  for<unroll i in range(0, 64) { A[i] = nope }    //! error: expected `>` behind `unroll`, not `i`   //~ fix: Insert `>`   //! error: there is no `nope` here
  for<unroll 5000> i in range(0, 64) { A[i] = nope }  //! error: expected an unroll factor from 1 to 1024   //! error: there is no `nope` here
}

kernel bodies(A: tensor<f32>[64], n: i32) {
  for i in range(0, n) A[i] = nope                //! error: expected `{` to begin the loop's body   //~ fix: Put the body in `{ }`   //! error: there is no `nope` here
  for i in range(0, n):                           //! error: a body is written in `{ }`   //~ fix: Put the body in `{ }`
    A[i] = nope                                   //! error: there is no `nope` here
  for i in range(0, n)                            //! error: expected `{` to begin the loop's body   //~ fix: Put the body in `{ }`
    A[i] = nope                                   //! error: there is no `nope` here
  A[0] = nope                                     //! error: there is no `nope` here
}

kernel down(A: tensor<f32>[N]) {
  for (int i = 10; i >= 0; i--) {                  //! error: a loop runs over a range: `for i in range(start, end)`; it counts up, so   //~ fix: Count up, and subtract
    A[i] = nope                                    //! error: there is no `nope` here
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
