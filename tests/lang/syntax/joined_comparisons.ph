// `&` and `|` between comparisons: one error, at the sign, and a repair that joins what was meant.

kernel joined(y: tensor<f32>[4], n: i32, m: i32) {
  if n > 1 & n < 3 { y[0] = 1.0 }              //! error PH0012: two comparisons are joined by `&&`   //~ fix: Join with `&&`
  if y[0] > 0 | y[1] > 0 { y[2] = 1.0 }        //! error PH0012: two comparisons are joined by `||`   //~ fix: Join with `||`
  if n > 0 & m > 1 & n < 3 { y[0] = 1.0 }      //! error PH0012: two comparisons are joined by `&&`   //~ fix: Join with `&&`
  if (n & 1) == 0 & (n > 2) { y[2] = 1.0 }     //! error PH0012: two comparisons are joined by `&&`   //~ fix: Join with `&&`
  if (n > 2) & n == 5 { y[2] = 1.0 }           //! error PH0012: two comparisons are joined by `&&`   //~ fix: Join with `&&`
  if (n > 2) & (n < 5) { y[2] = 1.0 }          //! error PH0223: `&` does not take `bool`   //~ fix: Change to `&&`
  if n > 0 & m & 1 < 3 { y[0] = 1.0 }          //! error PH0012: two comparisons are joined by `&&`   //~ no fix
  if 1 < n < m { y[0] = 1.0 }                  //! error PH0007: comparisons do not chain   //~ fix: Join with `&&`
  if (n & 1) == (m & 1) { y[3] = 1.0 }
  if n == m & 3 { y[3] = 2.0 }
}
