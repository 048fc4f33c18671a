// A definition stands outside of all bodies. One inside of another is one error, and what is around it is read as ever.

kernel holds_a_function(A: tensor<f32>[N]) {
  fn square(x: f32) -> f32 { //! error: a function is defined outside of other bodies //~ fix: Move it out of the body
    return x * x
  }
  let i = ctx.block.x * ctx.threads + ctx.thread
  A[i] = square(A[i])
  A[i] = nope //! error: there is no `nope` here
}

kernel its_function_takes_what_is_around(A: tensor<f32>[N], gain: f32) {
  fn scaled(x: f32) -> f32 { //! error: a function is defined outside of other bodies //~ no fix
    return x * gain
  }
  A[ctx.thread] = scaled(A[ctx.thread])
}

kernel in_a_branch(A: tensor<f32>[N], n: i32) {
  if n > 3 {
    fn halved(y: f32) -> f32 { //! error: a function is defined outside of other bodies //~ fix: Move it out
      return 0.5 * y
    }
    A[0] = halved(A[0])
  }
}

fn holds_one_too(x: f32) -> f32 {
  fn inner(y: f32) -> f32 { //! error: a function is defined outside of other bodies
    return y
  }
  return inner(x)
}

kernel holds_a_kernel(A: tensor<f32>[N]) {
  kernel inside(B: tensor<f32>[N]) { //! error: `kernel`: it stands outside of other bodies //~ no fix
    B[0] = 1.0
  }
  A[0] = missing //! error: there is no `missing` here
}

kernel not_closed(A: tensor<f32>[N]) {
  A[0] = 1.0 //! error: expected `}` to close the block opened here

kernel at_the_line_s_start_is_the_next(A: tensor<f32>[N]) {
  A[0] = nothing //! error: there is no `nothing` here
}
