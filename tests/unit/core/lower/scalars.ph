fn twice(x: f32) -> f32 {
  return x + x
}

fn sign(x: f32) -> f32 {
  if x < 0.0 {
    return -1.0
  }
  return 1.0
}

@launch(64)
kernel inlined(X: tensor<f32>[N], O: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  if i < N && X[i] > 0.5 {
    O[i] = twice(X[i])
    O[i] *= sign(X[i])
  }
}

fn first_odd(X: tensor<i32>[N], from: i32) -> i32 {
  for i in range(from, from + 8) {
    if X[i] % 2 == 1 {
      return X[i]
    }
  }
  return -1
}

@launch(64)
kernel scoped(X: tensor<i32>[N], O: tensor<i32>[64]) {
  O[ctx.thread] = first_odd(X, i32(ctx.warp))
}
