// `generate`: a tile of a declared type, element by element from a function of the indices.
fn wave(i: i32, j: i32, scale: f32) -> f32 {
  return sin(f32(i) * scale) + f32(j)
}

fn narrow(i: u8) -> f16 {
  return f16(i)
}

fn wide(i: i64, j: i8, k: i32) -> i32 {
  if i > i64(j) {
    return k
  }
  var at = 0
  for step in range(0, i64(k)) {
    at += step
  }
  return i32(at)
}

fn lookup(i: i32, j: i32, X: tensor<f32>[M, K], t: tile<f32>[R, C]) -> f32 {
  return X[j, i] + t[i % 2, 0] + X[0, 0] + f32(extent(X, 1) + C)
}

fn ramp(scale: f32) -> tile<f32>[8, 4] {
  let t: tile<f32>[8, 4] = generate(wave, scale)
  return t
}

@launch(64)
kernel accepted(X: tensor<f32>[M, K], O: tensor<f32>[8, 4], V: tensor<i32>[4, 4, 4], s: f32) {
  let a: tile<f32>[8, 4] = generate(wave, s)                      //? a: uniform
  var b: tile<f16>[8, 4] = generate(wave, X[0, 0])                //? b: uniform
  let c: tile<f32>[256] = generate(narrow)                        //? c: uniform
  let d: tile<i32>[4, 4, 4] = (generate(wide))                    //? d: uniform
  let e: tile<f32>[8, 4] = generate(lookup, X, X[0 :+ 2, 0 :+ 8]) //? e: uniform
  b = generate(wave, 2)
  O[:, :] = a + f32(b) + c[3] + e + ramp(0.5)
  V[:, :, :] = d
}

fn one(i: i32) -> f32 {
  return f32(i)
}

fn float_index(x: f32, j: i32) -> f32 {
  return x * f32(j)
}

fn nothing_back(i: i32, j: i32, O: tensor<f32>[M, K]) {
  O[i, j] = 1.0
}

fn tells(i: i32, j: i32) -> f32 {
  print(i)
  return f32(i + j)
}

fn stores(i: i32, j: i32, O: tensor<f32>[M, K]) -> f32 {
  O[i, j] = 1.0
  return 2.0
}

fn row_of(i: i32, j: i32) -> tile<f32>[4] {
  return f32(iota(4) + i + j)
}

fn summed(i: i32, j: i32, X: tensor<f32>[M, K]) -> f32 {
  return rowsum(X[0 :+ 1, 0 :+ 32])[0, 0]    //! error: `rowsum` runs once per CTA, so every thread must reach it: `generate` computes each element in one thread
}

fn of_lane(i: i32, j: i32) -> i32 {
  return i + i32(ctx.lane)                   //! error: `generate` takes `ctx.lane`, which differs between lanes
}

fn shuffled(i: i32, j: i32) -> i32 {
  return shfl<xor 1>(i)                      //! error: needs every lane of the warp
}

kernel other(X: tensor<f32>[M, K]) {
  X[0, 0] = 1.0
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<f32>[M, K], n: i32) {
  let a = generate(wave, 1.0)                          //! error: its type is not declared
  let b: tile<f32>[8, 4] = generate(wave, 1.0) * 2.0   //! error: its type is not declared
  let c: f32 = generate(wave, 1.0)                     //! error: its type is not declared
  let d: tile<f32>[8, 4] = generate()                  //! error: `generate` takes a function
  let e: tile<f32>[8, 4] = generate(n)                 //! error: `n` is a value, no function
  let f: tile<f32>[8, 4] = generate(exp)               //! error: `exp` is a built-in
  let g: tile<f32>[8, 4] = generate(wawe, 1.0)         //! error: there is no operation or function `wawe`
  let h: tile<f32>[8, 4] = generate(other)             //! error: `other` is a kernel
  let i: tile<f32>[8, 4] = generate(one)               //! error: `one` takes 1 parameter, but a tile of rank 2 has 2 indices
  let j: tile<f32>[8, 4] = generate(float_index)       //! error: `x` of `float_index` is the index along axis 0
  let k: tile<f32>[8, 4] = generate(wave)              //! error: `wave` takes 1 argument behind its 2 indices, not 0
  let l: tile<f32>[8, 4] = generate(wave, 1.0, 2.0)    //! error: `wave` takes 1 argument behind its 2 indices, not 2
  let m: tile<f32>[8, 4] = generate(nothing_back, O)   //! error: it may neither store nor make a tile
  let printed: tile<f32>[8, 4] = generate(tells)       //! error: it may neither store nor make a tile, nor print
  let o: tile<f32>[8, 4] = generate(stores, O)         //! error: it may neither store nor make a tile
  let p: tile<f32>[8, 4] = generate(row_of)            //! error: `row_of` gives a `tile<f32>[4]`, but an element is a scalar
  let q: tile<i32>[8, 4] = generate(wave, 1.0)         //! error: `wave` gives an `f32`, which is not assigned to an `i32` without a conversion
  let r: tile<f16>[257] = generate(narrow)             //! error: `i` of `narrow` counts to 256 along axis 0, which does not fit in `u8`
  let s: tile<f32>[8, 4] = generate(wave, X)           //! error: `tensor<f32>[M, K]` is not assigned
  let t: tile<f32>[8, 4] = generate(wave, X[ctx.lane, 0])  //! error: `generate` takes `X[ctx.lane, 0]`, which differs between lanes
  let u: tile<f32>[8, 4] = generate(summed, X)
  let v: tile<i32>[8, 4] = generate(of_lane)
  let w: tile<i32>[8, 4] = generate(shuffled)
  if ctx.lane == 0 {
    let x: tile<f32>[8, 4] = generate(wave, 1.0)       //! error: `generate` runs once per CTA
    O[0, 0] = x[0, 0]
  }
  O[ctx.thread, 0] = 1.0
  let y: tile<f32>[2, 2] = generate(lookup, O, X[0 :+ 2, 0 :+ 8])  //! error: `generate` reads `O` after a per-thread store
}
