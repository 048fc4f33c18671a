kernel   spacing ( X:tensor < f32 > [M,64] ,Y : tensor<f32>[ M , 64 ],n :i32 ){
	let r=ctx . block . x*4
	let a = X[r:+4,:]
	let b = X[ r : r+4 , :16 ]*2.0
	let c = -a+ - b
	let d = !(n==3)&&n!=4||~n<7
	let e = sum < over ctx.lane > (X[0,0])
	let f = shfl<xor(1<<2)>( X[0,ctx.thread] )+shfl< from ctx.lane+1 >(X[0,0])
	let up = n
	let g = n<up
	let h = n<up-1
	var t:tile<f32>[4,64]=a
	var u : tile<f32>[ 4,64 ]
	for<unroll   4>i in range (0,n,2){
		t = t*f32( i )
	}
	for < unroll > j in range(0 , 4){ u=t }
	while  n>3  {
		break
	}
	if ( n>3 )  {
		return
	}else   if n<- 1{
		barrier ( )
	}   else{
		Y[ r:+4,: ]+=t
	}
	store(t,at+1:+4,elem(u,0:+4))
	O[0,0]<<=0xFF_00
	O[0,0]=1.5e-3+1e5*2.0E+1
}
