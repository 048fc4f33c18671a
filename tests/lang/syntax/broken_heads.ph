// A broken head is one mistake: the parameters behind it are read. (Heads as other languages have them: heads.ph.)

kernel twice((A: tensor<f32>[M], s: f32) {          //! error: unexpected `(`: one pair of parentheses holds the parameters   //~ fix: Remove `(`
  A[0] = s
}

kernel two words(A: tensor<f32>[M], s: f32) {       //! error: expected `(` to begin the parameters, not `words`
  A[0] = s
}

kernel launched<<<1, 2>>>(A: tensor<f32>[M]) {      //! error: expected `(` to begin the parameters, not `<<`
  A[0] = 1.0
}

kernel sized[4](A: tensor<f32>[M]) {                //! error: expected `(` to begin the parameters, not `[`
  A[0] = 1.0
}

kernel a-b(A: tensor<f32>[M], s: f32) {             //! error: expected `(` to begin the parameters, not `-`
  A[0] = s
}

kernel 2b(A: tensor<f32>[M], s: f32) {              //! error: `2b` is neither a number nor a name
  A[0] = s
}

fn more(x: f32)) -> f32 {                           //! error: unexpected `)`: no `(` opens it   //~ fix: Remove `)`
  return x
}

fn fewer(x: f32 -> f32 {                            //! error: expected `)` to close the parameters opened here   //~ fix: Insert `)`
  return x
}

fn nothing(x: f32) {
  return x                                          //! error: `nothing` declares no result   //~ fix: Declare the result `f32`
}

kernel calls(A: tensor<f32>[M]) {
  A[0] = more(1.0) + fewer(2.0) + nothing(3.0)
}

kernel unclosed(A: tensor<f32>[M, B: tensor<f32>[M], s: f32) {   //! error: expected `]` to close the shape opened here   //~ fix: Insert `]`
  A[0] = B[0] * s
}

kernel semicolons(A: tensor<f32>[M; N], s: f32) {   //! error: expected `,` between two dimensions, not `;`   //~ fix: Write `,`
  A[0, 0] = s
}

kernel blanks(A: tensor<f32>[M N], s: f32) {        //! error: expected `,` between two dimensions   //~ fix: Insert `,`
  A[0, 0] = s + f32(M) + f32(N)
}

fn wordless(a: <f32>[R, C]) -> tile<f32>[R, C] {    //! error: expected `tile` before `<`   //~ fix: Insert `tile`
  return a
}

kernel tensors(A: <f32>[M, N], B: tile tensor<f32>[M, N]) {   //! error: expected `tensor` before `<`   //~ fix: Insert `tensor`   //! error: unexpected `tensor`: one word says what it is   //~ fix: Remove `tile`
  A[0, 0] = B[0, 0]
}

kernel swapped(tensor<f32>[M, N] A, s: f32) {       //! error: a parameter is written `name: type`   //~ fix: Write `A: …`
  A[0, 0] = s
}

kernel commas(A: tensor<f32>[M],, s: f32) {         //! error: expected the parameter's name   //~ fix: Remove `,`
  A[0] = s
}

kernel worked_out(A: tensor<f32>[M]) {
  let t: tile<f32>[2 * 8] = 1.0                     //! error: unexpected `*`: a dimension is a name or a number   //~ fix: Write `16`
  A[0 :+ 16] = t
}
