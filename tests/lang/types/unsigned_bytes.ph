// The types of C that are spelt in several words.

kernel bytes(unsigned char* a, y: tensor<i32>[N]) {   //! error PH0012: a parameter is written `name: type`   //~ fix: Write `a: tensor<u8>[M]`
  y[0] = i32(a[0])
}

kernel locals(y: tensor<i32>[N], b: unsigned char) {  //! error PH0012: there is no type `unsigned char`; it is `u8` here   //~ fix: Write `u8`
  unsigned char c = 200                               //! error PH0012: a name is declared with `let` or `var`   //~ fix: Write `var c`
  let _f: u8 = c + b
  long int d = 5000000000                             //! error PH0012: a name is declared with `let` or `var`   //~ fix: Write `var d`
  let _e: i64 = d
  y[0] = i32(c)
}
