struct P { x: f32, y: f32 } //! error: there is no `struct`

#define SQUARE(x) ((x) * (x)) //! error: there is no preprocessor
enum Mode { Fast, Slow = 2 } //! error: there is no `enum`
typedef float real; //! error: there is no `typedef`

kernel uses_them(A: tensor<real>[N], p: P, f: real) { // what is not there because of the text above is no error of its own
  A[0] = SQUARE(f) + p.x + f32(Fast) + f32(Slow)
  A[1] = f32(Medium) //! error: there is no `Medium` here
}

struct Pair { //! error: there is no `struct`
  float x;
  float y;
};
const int U = 4, W[2] = {1, 2}; //! error: a constant is declared with `let`
LIMIT: i32 = 3 //! error: a constant is declared with `let`

kernel uses_those(A: tensor<f32>[N], p: Pair) {
  A[0] = p.x + f32(U) + f32(W) + f32(LIMIT)
  A[1] = f32(x) //! error: there is no `x` here
}

autotune(T in [16, 32]) //! error: unexpected `autotune`   //~ fix: Insert `@`
kernel tuned(A: tensor<f32>[N]) {
  A[0 :+ T] = 1.0
}
