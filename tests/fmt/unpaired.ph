kernel opened( n:i32 ) {
    if n>3 {
        barrier( )
    let a=1;  let b=2   


    return   // here
}

kernel fine( n:i32 ) {
    return
}
kernel closed( n:i32 ) {
    return
}
  }
fn also_fine(x:f32)->f32{
return x}
