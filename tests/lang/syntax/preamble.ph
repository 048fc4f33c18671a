#include <cuda.h>                                   //! error: nothing is included
import triton                                       //! error: nothing is imported
using namespace std;                                //! error: nothing is imported
#define BLOCK 128                                   //! error: there is no preprocessor   //~ fix: Write `@autotune(BLOCK in [128])`
#define SCALE 2.0f                                  //! error: there is no preprocessor
static float z = 1.0;                               //! error: a constant is declared with `let`
template <typename T>                               //! error: there are no templates
struct P { x: f32 }
class Runner:                                       //! error: there is no `class`
    size = 3
    rate = 4
some words of nobody                                //! error: expected `kernel` or `fn`
and more of them
const T = 4;                                        //! error: a constant is declared with `let`   //~ fix: Write `@autotune(T in [4])`

kernel uses_them(x: tensor<f32>[N]) {               // each of them is one mistake, and what they name is there
  x[0 :+ BLOCK] = SCALE
  x[T] = z + nope                                   //! error: there is no `nope` here
}

struct P { a: f32 }                                 //! error: there is no `struct`
#define SQ(x) ((x)*(x))                             //! error: there is no preprocessor

kernel uses_those(x: tensor<f32>[N]) {
  x[0] = SQ(2.0)
}
