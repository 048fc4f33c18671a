// One error a mistake, where other languages have a whole construct that this one has not.

kernel lists(A: tensor<f32>[N]) {
  let s = [x * 2 for x in range(0, 4)]             //! error: there are no lists
  let v = vec![0.0; 16]                            //! error: there are no lists
  A[0] = s[0] + v[1]
  A[1] = nope                                      //! error: there is no `nope` here
}

kernel subscripts_in_braces(A: tensor<f32>[M, N]) {
  A{0, 1} = nope                                   //! error: subscripts stand in `[ ]`   //~ fix: Write `[…]`   //! error: there is no `nope` here
}

kernel jumps(A: tensor<f32>[N]) {
  if A[0] > 1.0 { goto end; }                      //! error: there is no `goto`
end:                                               //! error: there are no labels
  lists<<<1, 32>>>(A);                             //! error: a kernel is not launched by another

  A[1] = nope                                      //! error: there is no `nope` here
}

kernel pairs(A: tensor<f32>[N]) {
  for i, x in enumerate(A) {                       //! error: a loop has one variable
    A[i] = nope                                    //! error: there is no `nope` here
  }
}

kernel by_name(A: tensor<f32>[64], n: i32) {
  let v = tl.load(A + n, mask=n > 3, other=0.0)    //! error: there is no `tl.load`; read a slice, as in `A[i :+ 64]`
  let w = tl.zeros(16, tl.float32)                 //! error: there is no operation or function `tl.zeros`
  A[0] = v + w + nope                              //! error: there is no `nope` here
}

kernel methods(A: tensor<f32>[64], n: i32) {
  A[0] = A[1].max(0.0)                             //! error: an operation stands before its operands: `tmax(A[1], 0.0)`   //~ fix: Change to `tmax(A[1], 0.0)`
  A[1] = n.to(tl.float32)                          //! error: an operation stands before its operand: `f32(n)`   //~ fix: Change to `f32(n)`
  A[2] = n.astype(double)                          //! error: an operation stands before its operand: `f64(n)`   //~ fix: Change to `f64(n)`
}

kernel keyword_as_name(const float* __restrict__ in, float* out) { //! error: a parameter is written `name: type`; `in` is a keyword and names nothing   //! error: a parameter is written `name: type`
  static __shared__ int counter;                   //! error: a name is declared with `let` or `var`   //~ fix: Write `var counter: i32`
  out[0] = nope                                    //! error: there is no `nope` here
  out[counter] = 1.0
}

fn of_unknown_type(T* a) -> f32 {                  //! error: a parameter is written `name: type`
  return a[0]
}

fn rust_returns(x: f32) -> f32 {                   //! error: its last value is given by `return`   //~ fix: Insert `return`
  let y = x * 2.0
  y + 1.0
}

fn rust_returns_in_branches(x: f32) -> f32 {       //! error: its last value is given by `return`   //~ fix: Insert `return`
  if x > 1.0 { x } else if x > 0.0 { 2.0 * x } else { x + 1.0 }
}

kernel nothings(A: tensor<f32>[N]) {
  if A[0] == None { return }                       //! error: there is no `None` here; every name has a value   //~ no fix
  A[0] = nan                                       //! error: NaN has no literal   //~ no fix
  A[1] = math.nan                                  //! error: NaN has no literal
  assert(N > 3)                                    //! error: what holds of a dimension is promised by `@aligned(N = 64)`
}

def untyped(a, b, c):                              //! error: a function begins with `fn`, and each parameter has a type
  return nope                                      //! error: there is no `nope` here

kernel shuffles(A: tensor<f32>[N]) {
  let _v = __shfl_xor_sync(0xffffffff, A[0], 16, 32) //! error: there is no operation or function `__shfl_xor_sync`   //~ fix: Change to `shfl<xor 16>(A[0])`
}

kernel types(A: tensor<f32>[N]) {
  let s = shared<f32>[64]                          //! error: `=`: a tile's type stands behind `:`   //~ fix: Write `:`
  var t = tile<f32>[64, 64] = 0.0                  //! error: `=`: a tile's type stands behind `:`   //~ fix: Write `:`
  var u: shared<f32>[64]                           //! error: there is no type `shared`   //~ fix: Write `tile`
  var v: Vec<f32>                                  //! error: there is no type `Vec`   //~ no fix
  A[0] = nope + t[0, 0] + s[0] + u[0] + v[0]       //! error: there is no `nope` here
}

kernel lines_that_end_in_commas(A: tensor<f32>[N]) {
  A[0] = 1.0,                                      //! error: `,`: a statement ends with its line   //~ fix: Remove `,`
  A[1] = nope,                                     //! error: `,`: a statement ends with its line   //! error: there is no `nope` here
}

kernel reductions(A: tensor<f32>[N]) {
  let _a = shfl_xor(A[0], 16)                      //! error: there is no operation or function `shfl_xor`   //~ fix: Change to `shfl<xor 16>(A[0])`
  let _b = warp_reduce_sum(A[0])                   //! error: there is no operation or function `warp_reduce_sum`   //~ fix: Change to `sum<over ctx.lane>(A[0])`
  let _c = reduce(A[0])                            //! error: rows of a tile are folded by `rowsum`
  let _d = iota(0, 32)                             //! error: an extent must be positive, not 0; `iota(32)` counts from 0   //~ fix: Change to `iota(32)`
}

@autotune(64, 32)                                  //! error: `@autotune` takes search spaces of positive numbers
kernel tuned(A: tensor<f32>[N]) {
  A[0] = nope                                      //! error: there is no `nope` here
}
