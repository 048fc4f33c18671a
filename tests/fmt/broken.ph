kernel one( n:i32 ) {
  let a=1
  let   b = (1 +
  let c=2
  O[0 = 3;   foo( )
  if n>   {
  barrier( )
      let  d  =
  }
#  of another { language
  let e=foo(a b,
     c)
  ;
  let f=1 ;; let g=2
  let h=1.0f32
  let i=A[1 :]
  O[0]=A[0]  @  A[1]
  let j=1   // fine again
}

kernel two( n:i32   m:i32 ) {
  let a=1
}
@launch( 64   64 )
kernel three(n:i32){
  if n>3 {
    barrier( )
  }
  else   {
    barrier( )
  }
  let é=1
  let b=2
}
kernel four(n:i32){ foo( ) } ; 
kernel (n:i32) {
  let a=1
}
kernel
