// Attributes as other languages write them.

@launch 64                                         //! error: expected `(` before the arguments, not `64`   //~ fix: Write `(…)`
kernel launched0(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch: 64                                        //! error: expected `(` before the arguments, not `:`   //~ fix: Write `(…)`
kernel launched1(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch[64]                                        //! error: expected `(` before the arguments, not `[`   //~ fix: Write `(…)`
kernel launched2(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch<64>                                        //! error: expected `(` before the arguments, not `<`   //~ fix: Write `(…)`
kernel launched3(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch=64                                         //! error: expected `(` before the arguments, not `=`   //~ fix: Write `(…)`
kernel launched4(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(64                                         //! error: expected `)` to close the arguments opened here   //~ fix: Insert `)`
kernel launched5(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch 64)                                        //! error: expected `(` before the arguments, not `64`   //~ fix: Write `(…)`
kernel launched6(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(2 * 32)
@registers(4 * 8)                                  //! error: `@registers` takes a number of registers from 16 to 255, not `4 * 8`   //~ fix: Change to 32
@pipeline(N * 2)                                   //! error: `@pipeline` takes nothing or a number of stages, 2 or more, not `N * 2`
kernel launched7(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch((64))
kernel launched8(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch([64])                                      //! error: expected a number alone, without `[`   //~ fix: Write the number alone
kernel launched9(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(threads=64)                                //! error: `@launch` takes whole numbers   //~ fix: Remove the name
kernel launched10(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@@launch(64)                                       //! error: unexpected `@`: an attribute begins with one `@`   //~ fix: Remove `@`
kernel launched11(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(64);                                       //! error: unexpected `;`: nothing separates attributes   //~ fix: Remove `;`
kernel launched12(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(64),                                       //! error: unexpected `,`: nothing separates attributes   //~ fix: Remove `,`
kernel launched13(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@aligned N = 64                                    //! error: expected `(` before the arguments, not `N`   //~ fix: Write `(…)`
kernel launched14(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch("64")                                      //! error: there are no strings
kernel launched15(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@autotune(Q: [32, 64])                             //! error: expected `in` before the choices   //~ fix: Write `in`
kernel tuned0(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune Q in [32, 64]                            //! error: expected `(` before the arguments, not `Q`   //~ fix: Write `(…)`
kernel tuned1(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in range(32, 64))                      //! error: expected `[` to begin the choices, not `range`   //~ fix: Write `[…]`
kernel tuned2(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in [32..64])                           //! error: `..` is no range: two choices `[a, b]` are the bounds of a search   //~ fix: Write `,`
kernel tuned3(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in [])                                 //! error: expected a number
kernel tuned4(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in [1, "a"])                           //! error: there are no strings
kernel tuned5(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in [1.5])                              //! error: expected a whole number, not `1.5`
kernel tuned6(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

@autotune(Q in [32, 64]                            //! error: expected `)` to close the arguments opened here   //~ fix: Insert `)`
kernel tuned7(O: tensor<f32>[64]) {
  O[0] = f32(Q) + nope                             //! error: there is no `nope` here
}

kernel @launch(64) inside(O: tensor<f32>[64]) {    //! error: unexpected `@`: an attribute stands before `kernel`   //~ fix: Move it before
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel behind(O: tensor<f32>[64]) @launch(64) {    //! error: unexpected `@`: an attribute stands before `kernel`   //~ fix: Move it before
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(128;)                                      //! error: `;`: arguments are separated by `,`   //~ fix: Remove `;`
kernel separated0(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch(128; 2)                                    //! error: `;`: arguments are separated by `,`   //~ fix: Write `,`
kernel separated1(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@launch{128}                                       //! error: expected `(` before the arguments, not `{`   //~ fix: Write `(…)`
kernel braced(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@aligned(N % 64)                                   //! error: what they are positive multiples of, as in `K = 128`, not `N % 64`   //~ fix: Write `=`
kernel divided0(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@aligned(N % 64 == 0)                              //! error: expected `=` before the number that divides it, not `%`   //~ fix: Write `=`
kernel divided1(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

__global__ void __launch_bounds__(128, 2) bounded(O: tensor<f32>[N]) { //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

@triton.autotune(configs=[triton.Config({"T": 64}, num_warps=4)], key=["n"]) //! error: there is no attribute `@triton.autotune`   //~ fix: Remove it
kernel of_triton(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

@triton.autotune(                                  //! error: there is no attribute `@triton.autotune`   //~ fix: Remove it
  configs=[
    triton.Config({"T": 64}),
    triton.Config({"T": 128}),
  ],
  key=["n"],
)
@launch(64)
kernel of_triton_in_lines(O: tensor<f32>[N]) {
  O[0] = nope                                      //! error: there is no `nope` here
}
