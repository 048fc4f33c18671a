#define T 16                                        //! error: there is no preprocessor   //~ fix: Write `@autotune(T in [16])`
kernel defined(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
}
