import phobos                                     //! error: nothing is imported: a file stands by itself
kernel missing_comma(A: tensor<f32>[64] O: tensor<f32>[64]) {  //! error: expected `,` between two parameters   //~ fix: Insert `,`
  O[0] = nope                                     //! error: there is no `nope` here
}
kernel types(a: f32[64], b: tensor<f32>(64), c: tensor f32>[64], d: tensor<f32 [64], e: tensor<f32> 64], O: tensor<f32>[64]) {  //! error: a tensor's type is written `tensor<f32>[…]`   //~ fix: Write `tensor<f32>`   //! error: expected `[` before the dimensions, not `(`   //~ fix: Write `[…]`   //! error: expected `<` before the element's type   //~ fix: Insert `<`   //! error: expected `>` behind the element's type   //~ fix: Insert `>`   //! error: expected `[` before the dimensions   //~ fix: Insert `[`
  O[0] = nope                                     //! error: there is no `nope` here
}
kernel more_types(a: tensor<f32, 64>, b: tensr<f32>[4], c: tensor<f32>[N*2], d: tensor<f32>[4,], e: tensor<f32>[-1], g: , O: tensor<f32>[64]) {  //! error: unexpected `,`: the dimensions stand behind the element's type, as in `tensor<f32>[M, N]`   //! error: there is no type `tensr`   //~ fix: Write `tensor`   //! error: unexpected `*`: a dimension is a name or a number   //! error: expected another dimension behind `,`   //~ fix: Remove `,`   //! error: expected a dimension: a name or a number, not `-`   //! error: expected a type
  O[0] = nope                                     //! error: there is no `nope` here
}
kernel pointers(x: &f32, y: [f32; 4], O: tensor<f32>[64]) {  //! error: there are no pointers and no references: a tensor is `tensor<T>[dimensions]`   //! error: a tensor's type is written `tensor<T>[dimensions]`
  O[0] = nope                                     //! error: there is no `nope` here
}
kernel c_parameters(f32 x, float* y, n i32, m: i32 = 3, O: tensor<f32>[64]) {  //! error: a parameter is written `name: type`   //~ fix: Write `x: f32`   //! error: a parameter is written `name: type`   //! error: expected `:` and the parameter's type   //~ fix: Insert `:`   //! error: unexpected `=`: a parameter has no default value   //~ fix: Remove it
  O[0] = nope + x + f32(n + m)                    //! error: there is no `nope` here
}
kernel no_parenthesis A: tensor<f32>[64]) {       //! error: expected `(` to begin the parameters   //~ fix: Insert `(`
  A[0] = nope                                     //! error: there is no `nope` here
}
kernel (A: tensor<f32>[64]) {                     //! error: expected the kernel's name, not `(`
  A[0] = nope                                     //! error: there is no `nope` here
}
kernel returns(A: tensor<f32>[64]) -> f32 {       //! error: unexpected `->`: a kernel returns nothing, it writes to its tensors   //~ fix: Remove it
  A[0] = nope                                     //! error: there is no `nope` here
}
fn colon(x: f32): f32 {                           //! error: expected `->` before the result's type, not `:`   //~ fix: Write `->`
  return x + nope                                 //! error: there is no `nope` here
}
fn no_arrow(x: f32) f32 {                         //! error: expected `->` before the result's type   //~ fix: Insert `->`
  return x + nope                                 //! error: there is no `nope` here
}
fn no_type(x: f32) -> {                           //! error: expected a type
  let y = x + nope                                //! error: there is no `nope` here
}
kernel no_brace(A: tensor<f32>[64])               //! error: expected `{` to begin the body   //~ fix: Insert `{`
  A[0] = nope                                     //! error: there is no `nope` here
}
kernel nothing_but_a_name                         //! error: expected `(` to begin the parameters
foo(A: tensor<f32>[64]) {
  A[0] = 1.0                                      //! error: there is no `A` here
}

launch(64)                                        //! error: unexpected `launch`: only kernels and functions stand outside of a body   //~ fix: Insert `@`
kernel after_a_bare_attribute(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}

@launch(-32)                                      //! error: `@launch` takes a CTA size that is a positive multiple of 32, not -32   //~ fix: Change to 32
kernel negative(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
@autotune(B=[32, 64], C in 3, 4, D in (5, 6))     //! error: expected `in` before the choices   //~ fix: Write `in`   //! error: expected `[` to begin the choices, not `3`   //~ fix: Write `[…]`   //! error: expected `[` to begin the choices, not `(`   //~ fix: Write `[…]`
kernel choices(A: tensor<f32>[64]) {
  A[0] = nope + f32(B + C + D)                    //! error: there is no `nope` here
}
@launch(64,)                                      //! error: expected another argument behind `,`   //~ fix: Remove `,`
kernel trailing(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
@launch(64 2)                                     //! error: expected `,` between two arguments   //~ fix: Insert `,`
kernel no_comma(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
@launch(64*2)
kernel product(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
@aligned(N: 64)                                   //! error: expected `=` behind the name   //~ fix: Write `=`
kernel colon_in_attribute(A: tensor<f32>[N]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
@(64)                                             //! error: expected the attribute's name, not `(`
kernel nameless_attribute(A: tensor<f32>[64]) {
  A[0] = nope                                     //! error: there is no `nope` here
}
