// `store_release`: writes an element of a tensor once per CTA, after all that the CTA wrote before.
@launch(64)
kernel accepted(F: tensor<i32>[8], L: tensor<i64>[8], S: tensor<f32>[8], n: i32) {
  store_release(F, 0, 1)
  store_release(L, n, i64(n))
  store_release(S, ctx.block.x, 0.5)
}

@launch(64)
kernel refused(F: tensor<i32>[8], n: i32, x: f32) {
  var t = iota(8)
  store_release(F, 0)                          //! error: `store_release` takes 3 arguments, not 2
  store_release(t, 0, 1)                       //! error: `store_release` takes the name of a tensor
  store_release(F, 0, x)                       //! error: `f32` is not assigned to `i32`
  store_release(F, ctx.warp, 1)                //! error: which differs between warps
  let a = store_release(F, 0, 1)               //! error: gives no value
  if ctx.lane == 0 {
    store_release(F, 0, 1)                     //! error: `store_release` runs once per CTA
  }
}
