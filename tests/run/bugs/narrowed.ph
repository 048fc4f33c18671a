// Numbers that become infinite, and the one quotient that wraps.

//# run O=zeros s=100000.0 --grid 1 --device sim expect-warning "100000 does not fit f16 and becomes inf"
//# run O=zeros s=-70000.0 --grid 1 --device sim expect-warning "-70000 does not fit f16 and becomes -inf"
@launch(32)
kernel halved(O: tensor<f16>[32], s: f32) {
  O[ctx.lane] = f16(s)
}

//# run O=zeros a=-2147483648 b=-1 --grid 1 --device sim expect-warning "-2147483648 / -1 does not fit i32 and becomes -2147483648"
@launch(32)
kernel quotient(O: tensor<i32>[32], a: i32, b: i32) {
  O[ctx.lane] = a / b
}
