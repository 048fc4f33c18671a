// On a function an attribute of kernels says nothing.

@launch(64)                                        //! hint PH0408: `@launch` stands on a kernel   //~ fix: Remove it
fn sized(x: f32) -> f32 {
  return x
}

@precise                                           //! hint: `@precise` stands on a kernel   //~ fix: Remove it
fn exact(x: f32) -> f32 {
  return exp(x)
}

@launch(64)
@aligned(N = 64, N = 32)                           //! hint PH0405: `@aligned` names `N` twice
kernel calls(O: tensor<f32>[N]) {
  O[ctx.thread] = sized(1.0) + exact(1.0)
}
