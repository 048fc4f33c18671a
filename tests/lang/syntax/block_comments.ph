/*                                          //! error: there is no block comment: `//` begins a comment, and the line ends it   //~ fix: Write `//`
 * What a file often begins with.
   It has lines without a star.
 */

// More of it.
kernel k(x: tensor<f32>[64]) {
  /* one line */                            //! error: there is no block comment: `//` begins a comment, and the line ends it   //~ fix: Write `//`
  /* two                                    //! error: there is no block comment: `//` begins a comment, and the line ends it   //~ fix: Write `//`
     lines */
  x[:] = /* here */ 0.0                     //! error: there is no block comment: `//` begins a comment, and the line ends it
}
