
//  a	
kernel k( ) {
	foo( );bar( )


	baz( )
}