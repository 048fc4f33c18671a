autotune(T in [16, 32])                             //! error: expected `@` before an attribute   //~ fix: Insert `@`
kernel bare(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
  O[T :+ T] = 1.0
}
