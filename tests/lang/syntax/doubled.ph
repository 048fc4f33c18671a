// One error a mistake: parentheses and braces around arguments, lane counts, what is no value.

kernel parentheses(O: tensor<f32>[N], f: f32) {
  O[0] = tmax((f, 2.0))                            //! error: unexpected `(`: one pair of parentheses   //~ fix: Remove one pair
  O[1] = tmax((f, 2.0)                             //! error: unexpected `(`: one pair of parentheses   //~ fix: Remove one pair
  barrier(()                                       //! error: unexpected `(`: one pair of parentheses   //~ fix: Remove one pair
  barrier(())                                      //! error: unexpected `(`: one pair of parentheses   //~ fix: Remove one pair
  O[2] = tmax((f), 2.0)
  O[3] = nope                                      //! error: there is no `nope` here
}

kernel braces(O: tensor<f32>[N], f: f32) {
  let x = exp{f}                                   //! error: expected `(` before the arguments, not `{`   //~ fix: Write `(…)`
  O[0] = tmax{x, 1.0}                              //! error: expected `(` before the arguments, not `{`   //~ fix: Write `(…)`
  if f > x{ O[1] = f }
  while O[2] > x{ O[2] = f }
  for i in range(0, N){ O[i] = nope }              //! error: there is no `nope` here
}

kernel lanes(O: tensor<f32>[N], f: f32) {
  O[0] = shfl<xor 1 == 2>(f)                       //! error: expected parentheses around a lane count with `==`
  O[1] = shfl<up 1 && 2>(f)                        //! error: unexpected `&&`
  O[2] = nope                                      //! error: there is no `nope` here
}

kernel values(O: tensor<f32>[N], n: i32) {
  O[0] = f32(n ?? 2)                               //! error: there is no `??`   //~ fix: Remove it
  O[1] = f32(sizeof(f32))                          //! error: there is no operation or function `sizeof`
  O[2] = f32(cast(n, f32))                         //! error: there is no operation or function `cast`
  O[3] = nope                                      //! error: there is no `nope` here
}

kernel memory(O: tensor<f32>[N]) {
  let t = tl.load(p + offs, mask=m, other=0.0)     //! error: there is no `tl.load`; read a slice
  tl.store(q, t, mask=m)                           //! error: there is no `tl.store`; write a slice
  O[0] = tl.exp(nope)                              //! error: there is no operation or function `tl.exp`   //! error: there is no `nope` here
}

kernel axes(T: tensor<f32>[N], O: tensor<f32>[4, 8]) {
  let t: tile<f32>[4, 8] = O[:, :]
  let row = tl.sum(t, axis=1)                      //! error: a fold over the last axis of a tile   //~ fix: Write `rowsum(…)`
  O[:, :] = t - row
}

kernel nameless(O: tensor<f32>[M, N], A: tensor<f32>[K]) {
  tile<f32>[N] = A[:]                              //! error: expected `var` and a name before the type, as in `var t: tile<f32>[N]`
  tile<f32>[4, 4]                                  //! error: expected `var` and a name before the type
  O[0, 0] = A[0]
}
