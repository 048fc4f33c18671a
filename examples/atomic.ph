// How often each value occurs: CTAs count on their own and add their counts up with atomics.
//
// An atomic runs once per CTA, not once per thread. So the threads first agree on a count with a collective, which gives every
// thread the same number, and one `atomic_add` puts it into memory that all CTAs share.
//
// `&&` short-circuits: the threads past the end of X do not read it. And since no store tells where a CTA works, the grid has to
// be given: 1000 elements, 128 a CTA.
//# run X=data/atomic.X.npy H=zeros B=16 --grid 8 expect H=data/atomic.H.npy rtol=0
@launch(128)
kernel histogram(X: tensor<i32>[N], H: tensor<i32>[B]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  for bin in range(0, B) {
    var hit: i32 = 0
    if i < N && X[i] == i32(bin) {
      hit = 1
    }
    let count = sum<over ctx.thread>(hit)
    atomic_add(H, bin, count)
  }
}
