// A loop of C that a range is not the same as: no repair, since one that changes the meaning is worse than none.

kernel kept(x: tensor<f32>[64], n: i32) {
  for (int i = 0; i < n; i++) { x[i] = 0.0 }                  //! error PH0012: a loop runs over a range   //~ fix: Write a range
  for (int i = 0; i < n && x[i] > 0.0; i++) { x[i] = 0.0 }    //! error PH0012: one that ends by a condition is a `while`   //~ no fix
  for (int i = 0; i < n; i++) { if x[i] > 1.0 { i += 2 } }    //! error PH0012: a loop runs over a range   //! error: `i` cannot be assigned   //~ no fix
}

kernel bound_changes(x: tensor<f32>[64]) {
  var last = 64
  for (int i = 0; i < last; i++) { last = last - 1 }          //! error PH0012: a loop runs over a range   //~ no fix
  x[0] = 1.0
}

kernel lives_on(x: tensor<f32>[64], n: i32) {
  var i: i32 = 0
  for (i = 0; i < n; i++) { x[i] = 0.0 }                      //! error PH0012: a loop runs over a range   //~ no fix   //! hint: shadows
  x[i] = 1.0
}

kernel ends(x: tensor<f32>[64], n: i32) {
  for (i = 0; i < n; i++) { x[i] = 0.0 }                      //! error PH0012: a loop runs over a range   //~ fix: Write a range
  for (i = 0; i < n; i++) { x[i] = 1.0 }                      //! error PH0012: a loop runs over a range   //~ fix: Write a range
}
