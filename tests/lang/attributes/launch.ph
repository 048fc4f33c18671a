// `@launch(threads[, minBlocks[, maxRegs]])`: a multiple of 32 up to 1024; what `ctx.threads` folds to.
@launch(32)
kernel least(O: tensor<i32>[M]) {
  let t: tile<i32>[32] = iota(ctx.threads)     //? t: uniform
  O[0 :+ 32] = t
}

@launch(1024, 2)
kernel most(O: tensor<i32>[M]) {
  let t: tile<i32>[1024] = iota(ctx.threads)
  let u: tile<i32>[32] = iota(ctx.warps)
  O[0 :+ 1024] = t + u[3]
}

@launch(128, 32, 255)
kernel all_three(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

kernel default_size(O: tensor<i32>[M]) {
  let t: tile<i32>[256] = iota(ctx.threads)
  O[0 :+ 256] = t
}

@launch()  //! error: `@launch` takes a CTA size and
kernel none(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch  //! error: `@launch` takes a CTA size and
kernel bare(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128, 1, 64, 2)  //! error: `@launch` takes a CTA size and
kernel four(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(0)  //! error: `@launch` takes a CTA size that is a positive multiple of 32, not 0
kernel zero(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(100)  //! error: `@launch` takes a CTA size that is a positive multiple of 32, not 100
kernel odd(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(2048)  //! error: `@launch` takes at most 1024 threads, not 2048
kernel many(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128.0)  //! error: `@launch` takes whole numbers
kernel real(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(n)  //! error: `@launch` takes whole numbers and, as the CTA's size, constants of `@autotune`, not `n`
kernel named(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(threads = 128)  //! error: `@launch` takes whole numbers
kernel assigned(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128, 0)  //! error: 1 to 32 as the least CTAs
kernel blocks(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128, 33)  //! error: 1 to 32 as the least CTAs
kernel more_blocks(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128, 1, 8)  //! error: 16 to 255 as the most registers
kernel registers(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128, 1, 256)  //! error: 16 to 255 as the most registers
kernel more_registers(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

@launch(128)
@launch(64)  //! error: `@launch` is given twice
kernel twice(X: tensor<f32>[M, K], O: tensor<f32>[M, K]) {
  O[0, 0] = X[0, 0]
}

// A constant of `@autotune`, or arithmetic of them; what stands first does not matter.
@launch(THREADS)
@autotune(THREADS in [96, 128, 64])
kernel chosen(O: tensor<i32>[M]) {
  let t: tile<i32>[96] = iota(ctx.threads)
  let u: tile<i32>[3] = iota(ctx.warps)
  O[0 :+ 96] = t + u[1]
}

@autotune(TM in [32, 64], TN in [4, 3, 2])
@launch((TM + TN * 8) * 2 - 64, 2)
kernel worked_out(O: tensor<i32>[M]) {
  let t: tile<i32>[64] = iota(ctx.threads)
  O[0 :+ 64] = t
}

@launch(3 * 64 % 128)
kernel of_numbers(O: tensor<i32>[M]) {
  let t: tile<i32>[64] = iota(ctx.threads)
  O[0 :+ 64] = t
}

@launch(TM * 2)  //! error: a CTA size that is a positive multiple of 32, not 80, which is `TM * 2` with TM = 40
@autotune(TM in [40, 32, 64])
kernel odd_choice(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread)
}

@launch(TM * TN)  //! error: at most 1024 threads, not 4096, which is `TM * TN` with TM = 64, TN = 64
@autotune(TM in [64], TN in [64])
kernel large_choice(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread)
}

@launch(TM / (TN - 64))  //! error: `@launch`: `TM / (TN - 64)` has no value with TM = 64, TN = 64
@autotune(TM in [64], TN in [64])
kernel without_value(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread)
}

@launch(THREAD * 2)  //! error: constants of `@autotune`, not `THREAD * 2`; did you mean `THREADS`?   //~ fix: Change to `THREADS`
@autotune(THREADS in [64])
kernel misspelt(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread) + i32(THREADS)
}

@launch(M)  //! error: constants of `@autotune`, not `M`
kernel dimension(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread)
}

@launch(64, T)  //! error: `@launch` takes whole numbers, not `T`
@autotune(T in [1])
kernel second(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread) + i32(T)
}

@launch(T *)  //! error: expected a number or a constant of `@autotune`
@autotune(T in [64])
kernel broken(O: tensor<i32>[M]) {
  O[0] = i32(ctx.thread) + i32(T)
}
