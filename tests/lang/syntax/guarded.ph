// Choices one of whose values may be computed only where the condition holds: `where` computes both, so the repair is an `if`.
@launch(64)
kernel declared(x: tensor<f32>[N], y: tensor<f32>[N], n: i32) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  let a = i < N ? x[i] : 0.0                       //! error: there is no `? :`: what only one of two values may do stands under an `if`, since `where(c, a, b)` computes both   //~ fix: Write an `if`
  let b = (i < N) ? x[i] : 0.0;                    //! error: stands under an `if`   //~ fix: Write an `if`
  var c: f32 = i >= N ? 0.0 : x[i]                 //! error: stands under an `if`   //~ fix: Write an `if`
  let d = if i < N { x[i] } else { 0.0 }           //! error: `if` is a statement and gives no value: what only one   //~ fix: Write an `if`
  let e = x[i] if i < N else 0.0                   //! error: `if` is a statement and gives no value: what only one   //~ fix: Write an `if`
  let f = n != 0 ? 4.0 / f32(n) : 0.0              //! error: stands under an `if`   //~ fix: Write an `if`
  c += a + b
  if i < N { y[i] = c + d + e + f }
}

@launch(64)
kernel assigned(x: tensor<f32>[N], y: tensor<f32>[N]) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  var v = 1.0
  v = i < N ? x[i] : 0.0                           //! error: stands under an `if`   //~ fix: Write an `if`
  v += i + 1 < N ? x[i + 1] : 0.0                  //! error: stands under an `if`   //~ fix: Write an `if`
  if i < N { y[i] = v }
}

fn given(x: tensor<f32>[N], i: i64) -> f32 {
  return i < N ? elem(x, i) : 0.0                  //! error: stands under an `if`   //~ fix: Write an `if`
}

@launch(64)
kernel inside(x: tensor<f32>[N], y: tensor<f32>[N], n: i32) {
  let i = ctx.block.x * ctx.threads + ctx.thread
  let v = 1.0 + (i < N ? x[i] : 0.0)               //! error: stands under an `if`   //~ no fix
  let w = n > 3 ? x[0] : x[1]                      //! error: stands under an `if`   //~ no fix
  let u = n > 3 ? n > 4 ? x[0] : 1.0 : 2.0         //! error: stands under an `if`   //~ no fix
  let t = if n > 3 { 1.0 } else if n > 2 { x[2] } else { 0.0 }   //! error: stands under an `if`   //~ no fix
  let h = n > 3 ? f32(n) / 2.0 : f32(n % 7)        //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
  let s = n > 3 ? x[0 :+ 4] : x[4 :+ 4]            //! error: there is no `? :`: write `where(c, a, b)`   //~ fix: Write `where(…)`
  y[0 :+ 4] = s
  if i < N { y[i] = given(x, i64(i)) + v + w + u + t + h }
}
