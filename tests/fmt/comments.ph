kernel comments(n: i32) {// behind the brace
  let a = n// too near
  let b = n	// behind a tab
  let c = n   // aligned
  let dd = n  // aligned
  let eee = n // the neighbours' column

  let f = n            //! error: a mark far out
      let g = n        //? g: uniform
    //indented wrongly
  let h = foo(n, // in brackets
    3)   
  if n > 3 {
  barrier()
        // before the end
  }
  //   inside   stays	as it is  
  let i = n // single
  return
}
