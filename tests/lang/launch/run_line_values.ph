// Values on run lines that cannot be taken.

//# run x=iota N=4 s=1 c=1
//# run x=iota N=ten s=1 c=1               //! warning: the dimension `N` is a number that is not negative, not `ten`
//# run x=iota N=-4 s=1 c=1                //! warning: the dimension `N` is a number that is not negative, not `-4`
//# run x=itoa N=4 s=1 c=1                 //! warning: `x` is a tensor: `itoa` is neither a .npy file nor a generator   //~ fix: Change to `iota`
//# run x=3 N=4 s=1 c=1                    //! warning: `x` is a tensor: `3` is neither
//# run x=randn:y N=4 s=1 c=1              //! warning: `randn:y` should be `randn[:SEED]`
//# run x=randint:5:1 N=4 s=1 c=1          //! warning: `randint:5:1` is empty
//# run x=full N=4 s=1 c=1                 //! warning: `full` should be `full:VALUE`
//# run x=iota:3 N=4 s=1 c=1               //! warning: `iota:3` should be `iota`
//# run x=iota N=4 s=ones c=1              //! warning: `s` is a scalar of type f32: `ones` is not a number
//# run x=iota N=4 s=1 c=1.5               //! warning: `c` is a scalar of type i32: `1.5` is not an integer
//# run x=iota N=4 s=1 c=99999999999       //! warning: `c` is a scalar of type i32: 99999999999 does not fit
//# run x=iota N=4 s=1 c=1 T=0             //! warning: the constant `T` is a positive number, not `0`
//# run x=iota N=4 s=1 c=1 x=ones          //! warning: `x` is given twice
//# run x=iota N=4 s=1                     //! warning: `c` has no value
//# run x=iota                             //! warning: `s`, `c`, `N` have no value
//# run x=data/x.npy s=1 c=1
//# run x=iota N=4 s=1 c=1 --grid 0        //! warning: a grid has at least 1 CTA along each axis, not 0
//# run x=iota N=4 s=1 c=1 --grid 1,2,3,4  //! warning: a grid is X, X,Y or X,Y,Z
//# run x=iota N=4 s=1 c=1 --device tpu    //! warning: `tpu` is no device; auto, gpu, sim and emulate are
//# run x=iota N=4 s=1 c=1 --max-steps x   //! warning: `--max-steps` is a number that is not negative, not `x`
//# run x=iota N=4 s=1 c=1 --rtol=-1       //! warning: is a number that is not negative, not `-1`
//# run x=iota N=4 s=1 c=1 expect          //! warning: `expect` is followed by NAME=FILE
//# run x=iota N=4 s=1 c=1 expect x=ones   //! warning: what is expected is read from a .npy file, not made by `ones`
//# run x=iota N=4 s=1 c=1 expect s=s.npy  //! warning: `s` is no tensor: what a kernel writes to one is expected
//# run x=iota N=4 s=1 c=1 expect x=x.npy rtol=abc   //! warning: `rtol` is a number that is not negative, not `abc`
//# run x=iota N=4 s=1 c=1 expect-error    //! warning: `expect-error` is followed by the text that is expected
//# run x=itoa N=ten expect-error "neither"
@autotune(T in [4, 8])
kernel scaled(x: tensor<f32>[N], s: f32, c: i32) {
  x[0 :+ T] = s * f32(c)
}
