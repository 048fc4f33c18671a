// CUDA's threads each add; here an atomic operation is done once by the CTA. An edit that changes how often is not offered.

@launch(64)
kernel counts(C: tensor<i32>[1], n: i32) {
  atomicAdd(&C[0], 1)                      //! error PH0012: it is done once by the CTA, not by each thread   //~ no fix
  atomicMax(&C[0], n)                      //! error PH0012: there are no references   //~ fix: Write `atomic_max(C, …)`
  atomicAdd(C[0], 1)                       //! error PH0102: done once by the CTA, not by each thread   //~ no fix
  atomicSub(C, 0, n)                       //! error PH0102: done once by the CTA, not by each thread
}
