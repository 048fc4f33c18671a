// Dimensions that are passed beside their tensors, as CUDA has it.

kernel before(y: tensor<i32>[64], N: i32, x: tensor<f32>[N]) {   //! error PH0116: `N` is a parameter, not the name of a dimension; the tensor binds it   //~ fix: Remove the parameter `N`
  if N > 3 { y[0] = i32(x[0] + x[5]) }
}

kernel behind(x: tensor<f32>[N], N: i32) {                       //! error PH0103: `N` is a dimension already, and no parameter beside it   //~ fix: Remove the parameter `N`
  for i in range(0, N) { x[i] = 1.0 }
}

kernel between(x: tensor<f32>[N], N: i32, m: i32) {              //! error PH0103: `N` is a dimension already   //~ fix: Remove the parameter `N`
  for i in range(0, N) { x[i] = f32(m) }
}

kernel typed(x: tensor<i32>[N], N: i32) {                        //! error PH0103: `N` is a dimension already   //~ no fix
  x[0] = N
}

kernel no_number(x: tensor<f32>[N], N: f32) {                    //! error PH0103: `N` is a dimension already   //~ no fix
  x[0] = N
}

fn function(x: tensor<f32>[N], N: i32) -> f32 {                  //! error PH0103: `N` is a dimension already   //~ no fix
  return x[N - 1]
}

kernel itself(x: tensor<f32>[x]) {                               //! error PH0116: `x` is the parameter itself, not the name of a dimension
  x[3] = 1.0
}
