// What messages call things: articles, types that other languages have, folds without their group.

kernel words(n: uint32, m: u16, w: size_t, x: float, O: tensor<f32>[8]) {   //! error: there is no type `uint32`; the nearest is `i32`, which is signed   //! error: the nearest is `i32`, which is wider   //! error: the nearest is `i64`, which is signed   //! error: there is no type `float`; it is spelt `f32`
  let i = ctx.thread
  let j = i[0]                             //! error PH0208: `i` is an `index`, which has no elements
  let a = sum(O[0])                        //! error PH0211: `sum` takes a thread's own run, as in `A[i, k :+ 4]`, not `f32`; scalars are folded over a warp by `sum<over ctx.lane>(…)`   //~ fix: Fold over the lanes of the warp   //~ fix: Fold over the threads of the CTA
  let b = max(2)                           //! error PH0211: by `max<over ctx.thread>(…)`
  var t: tile<f32>[4, 8] = 0.0
  let c = sum(t)                           //! error PH0211: the rows of a tile are folded by `rowsum`   //~ fix: Change to `rowsum`
  let d = any(true)                        //! error PH0226: `any` folds over lanes or threads   //~ fix: Fold over the lanes of the warp
  let e = shfl(O[1], 3)                    //! error PH0226: `shfl` needs the lane that it reads from   //~ fix: Read from that lane
  barrier<over ctx.lane>()                 //! error PH0226: `barrier` takes no `<…>`   //~ fix: Remove it
  let g = sum<over ctx.lane>(O[2] > 0.0)   //! error PH0211: `sum` takes a number of each thread   //~ fix: Count it as 0 or 1
  let h = all<over ctx.lane>(O[3])         //! error PH0211: `all` takes a `bool` of each thread   //~ fix: Compare with zero
  let k = where(O[4], 1.0, 2.0)            //! error PH0211: as its condition   //~ fix: Compare with zero
  let l = -(O[5] > 0.0)                    //! error PH0223: `-` does not take `bool`   //~ fix: Change to `!`
  let o: u8 = -1                           //! error PH0218: -1 does not fit in `u8`   //~ fix: Write `255`
  let q = O.shape                          //! error PH0111: `O` has no fields   //~ fix: Change to `extent(O, 0)`
  O[6] = O[-1]                             //! warning PH0234: `O` has no element -1   //~ fix: Count from the end: `7`
  for s in range(8, 0, -1) {               //! error PH0215: the step of `range` must be positive, not -1
    O[s] = 1.0
  }
}
