// Threads that leave: what is left of the loop, of the iteration or of the kernel is no longer reached by all of them.

@launch(64)
kernel a_break_reaches_back(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64]) {
  for i in range(0, 8) {
    barrier()                                     //! error: whether a `break` leaves the loop first differs between lanes, because of `ctx.lane`
    if A[i, ctx.lane] > 0.5 {                     //~ related: this `if` condition differs between lanes
      break                                       //~ related: this `break` leaves the loop in some lanes only
    }
    barrier()                                     //! error: whether a `break` leaves the loop first differs between lanes
  }
  barrier()
}

@launch(64)
kernel an_inner_break_ends_with_its_loop(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64]) {
  for i in range(0, 8) {
    for j in range(0, 8) {
      if A[i, ctx.thread] > f32(j) {
        break
      }
      O[i, ctx.thread] = 1.0
    }
    O[i :+ 1, :] = A[i :+ 1, :]
    barrier()
  }
}

@launch(64)
kernel a_continue_is_over_at_the_next_iteration(A: tensor<f32>[8, 64], n: i32) {
  for i in range(0, 8) {
    barrier()
    if ctx.lane == i {
      continue                                    //~ related: this `continue` skips the rest of the iteration in some lanes only
    } else {
      let x = A[0, 0]
    }
    barrier()                                     //! error: whether a `continue` skips it differs between lanes
    for j in range(0, n) {
      barrier()                                   //! error: whether a `continue` skips it differs between lanes
    }
  }
  barrier()
}

@launch(64)
kernel a_branch_with_a_way_out_of_both_sides(n: i32) {
  for i in range(0, 8) {
    if ctx.warp == i {
      barrier()                                   //! error: the `if` around it differs between warps
      continue
    }
    if n == 3 {
      continue
    }
    barrier()                                     //! error: whether a `continue` skips it differs between warps
  }
}

@launch(64)
kernel a_return_is_for_good(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64], n: i32) {
  barrier()
  for i in range(0, 8) {
    barrier()                                     //! error: whether a `return` leaves the kernel first differs between warps, because of `ctx.warp`
    for j in range(0, 8) {
      barrier()                                   //! error: whether a `return` leaves the kernel first differs between warps
      if n > 3 {
        if ctx.warp == j {
          return                                  //~ related: this `return` leaves the kernel in some warps only
        } else {
          barrier()                               //! error: the `if` around it differs between warps
        }
      }
    }
    barrier()                                     //! error: whether a `return` leaves the kernel first differs between warps
  }
  barrier()                                       //! error: whether a `return` leaves the kernel first differs between warps
}

@launch(64)
kernel the_other_branch_is_not_after_it(A: tensor<f32>[8, 64], n: i32) {
  if n > 0 {
    if ctx.lane > 3 {
      return
    }
  } else {
    barrier()
  }
  barrier()                                       //! error: whether a `return` leaves the kernel first differs between lanes
}

@launch(64)
kernel all_leave_together(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64], n: i32) {
  for i in range(0, n) {
    if A[i, 0] > 0.5 {
      continue
    }
    if A[i, 1] > 0.5 {
      break
    }
    barrier()
    if ctx.block.x == 3 {
      return
    }
    barrier()
  }
  if n == 4 {
    return
  }
  O[0 :+ 1, :] = A[0 :+ 1, :]
}

@launch(64)
kernel a_uniform_way_out_under_a_varying_one(A: tensor<f32>[8, 64], n: i32) {
  for i in range(0, 8) {
    if ctx.lane > 3 {
      if n > i {
        break
      }
    }
    barrier()                                     //! error: whether a `break` leaves the loop first differs between lanes
  }
}

@launch(64)
kernel out_of_a_while(A: tensor<f32>[8, 64]) {
  var i = 0
  while A[i, 0] > 0.0 {
    if A[i, ctx.lane] < 0.0 {
      break
    }
    let m = rowmax(A[0 :+ 1, :])                  //! error: whether a `break` leaves the loop first differs between lanes
    i = i + 1
  }
  barrier()
}

@launch(64)
kernel varying_loops_that_close(A: tensor<f32>[8, 64], O: tensor<f32>[8, 64]) {
  var n = 0                                       //? n: varying
  for i in range(0, ctx.lane) {
    n = n + 1
  }
  while n > 3 {
    n = n / 2
  }
  O[0 :+ 1, :] = A[0 :+ 1, :]
}
