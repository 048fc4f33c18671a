// A cycle of more functions than calls can be deep is told as a short one is, once.

fn g00(a: f32) -> f32 { return g01(a) }   //! error PH0112: `g00` → `g01` → … → `g39` → `g00`
fn g01(a: f32) -> f32 { return g02(a) }
fn g02(a: f32) -> f32 { return g03(a) }
fn g03(a: f32) -> f32 { return g04(a) }
fn g04(a: f32) -> f32 { return g05(a) }
fn g05(a: f32) -> f32 { return g06(a) }
fn g06(a: f32) -> f32 { return g07(a) }
fn g07(a: f32) -> f32 { return g08(a) }
fn g08(a: f32) -> f32 { return g09(a) }
fn g09(a: f32) -> f32 { return g10(a) }
fn g10(a: f32) -> f32 { return g11(a) }
fn g11(a: f32) -> f32 { return g12(a) }
fn g12(a: f32) -> f32 { return g13(a) }
fn g13(a: f32) -> f32 { return g14(a) }
fn g14(a: f32) -> f32 { return g15(a) }
fn g15(a: f32) -> f32 { return g16(a) }
fn g16(a: f32) -> f32 { return g17(a) }
fn g17(a: f32) -> f32 { return g18(a) }
fn g18(a: f32) -> f32 { return g19(a) }
fn g19(a: f32) -> f32 { return g20(a) }
fn g20(a: f32) -> f32 { return g21(a) }
fn g21(a: f32) -> f32 { return g22(a) }
fn g22(a: f32) -> f32 { return g23(a) }
fn g23(a: f32) -> f32 { return g24(a) }
fn g24(a: f32) -> f32 { return g25(a) }
fn g25(a: f32) -> f32 { return g26(a) }
fn g26(a: f32) -> f32 { return g27(a) }
fn g27(a: f32) -> f32 { return g28(a) }
fn g28(a: f32) -> f32 { return g29(a) }
fn g29(a: f32) -> f32 { return g30(a) }
fn g30(a: f32) -> f32 { return g31(a) }
fn g31(a: f32) -> f32 { return g32(a) }
fn g32(a: f32) -> f32 { return g33(a) }
fn g33(a: f32) -> f32 { return g34(a) }
fn g34(a: f32) -> f32 { return g35(a) }
fn g35(a: f32) -> f32 { return g36(a) }
fn g36(a: f32) -> f32 { return g37(a) }
fn g37(a: f32) -> f32 { return g38(a) }
fn g38(a: f32) -> f32 { return g39(a) }
fn g39(a: f32) -> f32 { return g00(a) }

kernel k(x: tensor<f32>[4]) { x[0] = g05(1.0) }
