// What a broken attribute names is there all the same.

@autotune(T inn [16, 32])                           //! error: expected `in` before the choices, not `inn`   //~ fix: Write `in`
kernel misspelt(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
  O[T :+ T] = 1.0
}

@autotune(T [16, 32])                               //! error: expected `in` between the name and its choices   //~ fix: Insert `in`
kernel missing(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
}

@autotune(T 16)                                     //! error: expected `in [` between the name and its choices   //~ fix: Write `in [16]`
kernel number(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
}

@autotune(T = 16)                                   //! error PH0404: `@autotune` takes search spaces   //~ fix: Change to `T in [16]`
kernel assigned(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
}

@autotune(T)                                        //! error PH0404: `@autotune` takes search spaces
kernel alone(O: tensor<f32>[M]) {
  O[0 :+ T] = 1.0
}

@tensorcore(tf23)                                   //! error PH0404: `@tensorcore` takes nothing or `tf32`, not `tf23`   //~ fix: Change to `tf32`
kernel rounded(O: tensor<f32>[M]) {
  O[0] = 1.0
}

@launch(64)]                                        //! error: unexpected `]`   //~ fix: Remove `]`
kernel bracket(O: tensor<f32>[M]) {
  O[0] = 1.0
}
