kernel long(first: tensor<f32>[M, 64], second: tensor<f32>[M, 64], third: tensor<f32>[M, 64], fourth: tensor<f32>[M, 64], fifth: f32) {
  let a = first_thing(second_argument, third_argument) * second_thing(fourth_argument) + third_thing(fifth_argument, sixth_argument)
  let b = where(first_condition(n) && second_condition(n), first[ctx.block.x * 64 + ctx.thread, 0], second[ctx.block.x * 64 + ctx.thread, 0])
  if first_condition_that_is_long(n) && second_condition_that_is_long(n) || third_condition_that_is_long(n) && fourth(n) {
    barrier()
  }
  if first_condition_that_is_long(n) && second_condition_that_is_long(n) { let short_but_too_much = third(n) + fourth(n) }
  third[ctx.block.x * 64 + ctx.thread, 0] = first[ctx.block.x * 64 + ctx.thread, 0] * second[ctx.block.x * 64, 0]  // a comment behind it that is long
  fourth[ctx.block.x * 64 + ctx.thread, 0] = outer(inner(first_argument_of_it, second_argument_of_it, third_argument_of_it, the_fourth))
  let a_name_so_long_that_nothing_can_be_done_about_it_anymore = another_name_so_long_that_nothing_can_be_done_about_it_anymore
}
@autotune(FIRST in [16, 32, 64, 128, 256, 512, 1024], SECOND in [16, 32, 64, 128, 256, 512, 1024], THIRD in [16, 32, 64, 128])
kernel tuned() {
}
