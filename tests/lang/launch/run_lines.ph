// Run lines that would be passed over, or fail once somebody runs them.

//# runn x=iota N=4             //! warning PH0501: `//# runn` is no run line and is passed over   //~ fix: Change to `//# run`
//#run x=iota N=4               //! warning PH0501: `//#run` is no run line   //~ fix: Change to `//# run`
//# tune BLOCK=4                //! warning PH0501: `//# tune` is no run line   //~ no fix
//##########
//# run x=iota --gird 1 N=4     //! warning PH0501: a run line has no option `--gird`; did you mean `--grid`?   //~ fix: Change to `--grid`
//# run x=iota M=4              //! warning PH0501: `M` is no parameter, dimension or constant of `lines`
//# run x=iota BLOKC=4 N=4      //! warning PH0501: did you mean `BLOCK`?   //~ fix: Change to `BLOCK`
//# run x=iota N=4 expct x=x.npy   //! warning PH0501: `expct` is neither NAME=VALUE nor a word of run lines; did you mean `expect`?   //~ fix: Change to `expect`
//# run x=iota N=4 expect x=x.npy rtol=1e-3 atol=0
//# run x= N=4                  //! warning PH0501: `x=` has no value
//# run x=iota N=4 --grid       //! warning PH0501: `--grid` needs a value
@autotune(BLOCK in [4, 8])
kernel lines(x: tensor<f32>[N]) {
  //# run x=iota N=4            //! warning PH0501: this run line is passed over: one stands directly above its kernel
  x[0 :+ BLOCK] = 1.0
}

//# run y=iota                  // of the kernel behind it
fn one() -> f32 {
  return 1.0
}

kernel behind(y: tensor<f32>[4]) {
  y[0] = one()
}
