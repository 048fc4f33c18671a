// `shfl`: a value of another lane, by `xor`, `up`, `down` or `from`; of any scalar type.
@launch(64)
kernel accepted(X: tensor<f32>[M, K], H: tensor<f16>[64], B: tensor<bf16>[64], D: tensor<f64>[64], Q: tensor<i8>[64], W: tensor<i32>[64], L: tensor<i64>[64], F: tensor<bool>[64],
                O: tensor<f32>[64], n: i32) {
  let a = shfl<xor 16>(X[0, ctx.lane])         //? a: varying
  let b: f16 = shfl<up 1>(H[ctx.lane])         //? b: varying
  let c: bf16 = shfl<down 2>(B[ctx.lane])      //? c: varying
  let d: f64 = shfl<from 3>(D[ctx.lane])       //? d: varying
  let e: i8 = shfl<from n>(Q[ctx.lane])        //? e: varying
  let f: i32 = shfl<from ctx.lane / 2>(W[0])   //? f: varying
  let g: i64 = shfl<xor 1 + 2>(L[ctx.warp])    //? g: warp-uniform
  let h: bool = shfl<up n>(F[ctx.lane])        //? h: varying
  let i = shfl<xor 4>(ctx.lane)                //? i: varying
  let j = shfl<from 0>(n)                      //? j: uniform
  let k: f32 = shfl<down 1>(2.0)               //? k: uniform
  if ctx.warp == 0 {
    O[ctx.thread] = shfl<xor 1>(a) + f32(b) + f32(c) + f32(d) + f32(e) + f32(f) + f32(g) + f32(h) + f32(i) + f32(j) + k
  }
}

@launch(64)
kernel refused(X: tensor<f32>[M, K], O: tensor<f32>[64]) {
  let a = shfl(X[0, 0])                        //! error: `shfl` needs the lane that it reads from
  let b = shfl<over ctx.lane>(X[0, 0])         //! error: `shfl` needs the lane that it reads from
  let c = shfl<xor 1>()                        //! error: `shfl` takes 1 argument, not 0
  let d = shfl<xor 1>(1.0, 2.0)                //! error: `shfl` takes 1 argument, not 2
  let e = shfl<xor 1.5>(X[0, 0])               //! error: an integer, not `f32`
  let f = shfl<xor 1>(X[0 :+ 4, 0 :+ 4])       //! error: `shfl` takes a scalar of each lane
  let g = shfl<xor 1>(X)                       //! error: `X` is a tensor in global memory
  if ctx.lane == 0 {
    O[0] = shfl<xor 1>(X[0, 0])                //! error: `shfl<xor 1>` needs every lane of the warp
  }
}

@launch(64)
kernel past_the_warp(O: tensor<f32>[64]) {
  let v = O[ctx.thread]
  let a = shfl<xor 32>(v)                          //! warning PH0236: a warp has 32 lanes: 32 is none of 0 to 31
  let b = shfl<up -1>(v)                           //! warning: a warp has 32 lanes: -1 is none of 0 to 31
  O[ctx.thread] = a + b + shfl<down 31>(v)
}
