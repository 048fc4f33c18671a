// What has the type that is wanted comes first.
fn s_half(v: f32) -> f32 {
  let s_inner = true
  let s_other = v
  return s_
//         ^ first s_other, s_half
}

kernel work(x: tensor<f32>[N], flags: tensor<i32>[N]) {
  let s_float = x[0]
  let s_index = ctx.thread
  let s_bool = s_index < 4
  let s_int = flags[0]
  var total: f32 = s_
//                   ^ first s_float, s_half
  total = s_
//          ^ first s_float, s_half
  total += s_
//           ^ first s_float, s_half
  x[s_] = 1.0
//    ^ first s_int, s_index
  x[0] = s_
//         ^ first s_float, s_half
  flags[0] = s_
//             ^ first s_int
  total = s_half(s_)
//                 ^ first s_float, s_half
  total = where(s_, 1.0, 2.0)
//                ^ first s_bool
  total = exp(s_)
//              ^ first s_float, s_half
  let more = s_index + s_
//                       ^ first s_int, s_index
  let most = 1.0 * s_
//                   ^ first s_float, s_half
  for i in range(0, s_) {
//                    ^ first s_int, s_index
  }
  if s_ {
//     ^ first s_bool
  }
  while !s_ && true {
//         ^ first s_bool
  }
  let any_of = s_
//               ^ first s_int, s_bool, s_index, s_float
}
