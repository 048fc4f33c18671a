stray( words )  here

kernel k( ) {
  foo( )
}
