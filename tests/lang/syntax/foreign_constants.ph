constexpr int TILE = 32; //! error: a constant is declared with `let` in a body, or with `@autotune //~ fix: Write `@autotune(TILE in [32])`
#define ROWS 4 //! error: there is no preprocessor //~ fix: Write `@autotune(ROWS in [4])`

kernel uses_them(A: tensor<f32>[N]) { // what is not there because of a constant above is no error of its own
  A[ctx.block.x * TILE :+ TILE] = A[ctx.block.x * TILE :+ TILE] * f32(ROWS)
  A[0] = f32(COLUMNS) //! error: there is no `COLUMNS` here
}

const float ALPHA = 2.0 //! error: a constant is declared with `let` in a body

kernel uses_one_between(A: tensor<f32>[N]) {
  A[0] = ALPHA
}
