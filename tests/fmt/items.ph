

// About the file.


// About the first kernel.
//# run n=3   expect O=o.npy   
@launch( 64 )@aligned(K=128) @autotune( A in[1,2] ,B in [ 16 ,32 ] ) kernel first(n: i32) {
  barrier()
}
fn helper(x: f32)->f32 {return x} fn second(x: f32)  ->  tile<f32>[1,1]
{
  return x
}   // behind the second
// Nobody's: an empty line follows.


// About the third.

// And more about it.
@persistent
// why 64

@launch
  (64)

kernel
  third
  (n: i32)
{

  // at the start

  barrier()


  // at the end

}
kernel empty() {}
kernel almost_empty() {
}



// The last word.


@launch( TM*2 )
@autotune(TM in [32,64])
kernel by_constant() {}

@launch(( TM+TN )/2-32*( TN % 3), 1)
kernel by_more() {}
