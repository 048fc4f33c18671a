// Numbers past what an attribute takes: each is told at the number, with the nearest one that it takes.

@registers(-3)                             //! error PH0404: `@registers` takes a number of registers from 16 to 255, not `-3`   //~ fix: Change to 16
@swizzle(-1)                               //! error PH0404: `@swizzle` takes one positive number, not `-1`
@pipeline(-2)                              //! error PH0404: `@pipeline` takes nothing or a number of stages, 2 or more, not `-2`
@launch(64, -1)                            //! error PH0404: 1 to 32 as the least CTAs on a multiprocessor, not `-1`   //~ fix: Change to 1
@aligned(N = -4, n = 4)                    //! error PH0404: positive multiples of, as in `K = 128`, not `N = -4`   //! error PH0407: `n`, which is no dimension of this kernel; did you mean `N`?   //~ fix: Change to `N`
@autotune(X in [-1, 4])                    //! error PH0404: search spaces of positive numbers, as in `X in [64, 128]`, not `X in [-1, 4]`
@persistent(2)                             //! error PH0404: `@persistent` takes no arguments   //~ fix: Remove them
kernel numbers(O: tensor<f32>[N]) {
  for i in range(0, 4) {
    O[i] = 1.0
  }
}

@launch(64, 1, 300)                        //! error PH0404: 16 to 255 as the most registers of a thread, not `300`   //~ fix: Change to 255
kernel more(O: tensor<f32>[N]) {
  O[0] = 1.0
}
