kernel   work( x : tensor<f32>[N] ) {
//< formatted
  let a=1
    //^ ranged let a = 1\n
    //^ ranged let b=2
  let b=2
  if a<b {
      x[0]=1.0
      //  ^ ranged \n    x[0] = 1.0\n
   }
  //^ typed }: if a < b {\n
//^ typed a: if a<b {
}
