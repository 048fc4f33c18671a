// What the arguments of a run line may be, to the last value of each type.

//# run a=-9223372036854775808 b=-2147483648 c=-128 d=0 O=zeros --grid 1
//# run a=9223372036854775807 b=2147483647 c=127 d=255 O=zeros --grid 1
//# run a=0 b=2147483648 c=0 d=0 O=zeros --grid 1    //! warning PH0501: 2147483648 does not fit
//# run a=0 b=-2147483649 c=0 d=0 O=zeros --grid 1    //! warning PH0501: -2147483649 does not fit
//# run a=0 b=0 c=128 d=0 O=zeros --grid 1    //! warning PH0501: 128 does not fit
//# run a=0 b=0 c=0 d=256 O=zeros --grid 1    //! warning PH0501: 256 does not fit
//# run a=0 b=0 c=0 d=-1 O=zeros --grid 1    //! warning PH0501: -1 does not fit
kernel k(a: i64, b: i32, c: i8, d: u8, O: tensor<i64>[1]) {
  O[0] = a + i64(b) + i64(c) + i64(d)
}
