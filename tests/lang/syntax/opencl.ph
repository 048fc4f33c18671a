// Kernels as OpenCL writes them.

__kernel void scaled(__global const float* a, __global float* out) { //! error: a kernel begins with `kernel`   //! error: a parameter is written `name: type`   //! error: a parameter is written `name: type`
  let i = get_global_id(0) //! error: it is `(ctx.block.x * ctx.threads + ctx.thread)`   //~ fix: Change to `(ctx.block.x * ctx.threads + ctx.thread)`
  let l = get_local_id(0) + get_local_size(0) //! error: it is `ctx.thread`   //! error: it is `ctx.threads`
  let g = get_group_id(1) //! error: it is `ctx.block.y`   //~ fix: Change to `ctx.block.y`
  let _h = get_global_id(1) //! error: there is no operation or function `get_global_id`; it is `ctx.block.x * ctx.threads + ctx.thread`   //~ no fix
  __local float s[64] //! error: a name is declared with `let` or `var`   //~ fix: Declare a tile
  s[0] = nope //! error: there is no `nope` here
  out[i] = a[l] + f32(g)
}
