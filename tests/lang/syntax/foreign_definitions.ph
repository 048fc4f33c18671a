// Definitions as other languages begin them. Calls of them are resolved, and their bodies are read.

kernel calls(O: tensor<f32>[64]) {
  O[0] = f1(1.0) + f2(1.0) + f3(1.0) + f4(1.0) + f5(1.0) + f6(1.0) + f7(1.0) + f8(1.0) + f9(1.0)
}

func f1(a: f32) -> f32 {                           //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

def f2(a: f32) -> f32 {                            //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

function f3(a: f32) -> f32 {                       //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

float f4(a: f32) {                                 //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

__device__ float f5(a: f32) {                      //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

pub fn f6(a: f32) -> f32 {                         //! error: a function begins with `fn`   //~ fix: Write `fn`
  return a + nope                                  //! error: there is no `nope` here
}

fn f7<T>(a: f32) -> f32 {                          //! error: unexpected `<`: there are no type parameters; a dimension is named in a parameter's type, as in `tensor<f32>[N]`   //~ fix: Remove it
  return a + nope                                  //! error: there is no `nope` here
}

fn f32 f8(a: f32) {                                //! error: a function's result stands behind its parameters: `-> f32`   //~ fix: Write `-> f32`
  return a + nope                                  //! error: there is no `nope` here
}

fn f9(a: f32) => f32 {                             //! error: `=>` is written `->`   //~ fix: Write `->`
  return a + nope                                  //! error: there is no `nope` here
}

fn nothing(_a: f32) -> void {                      //! error: a function without a result names none   //~ fix: Remove it
}

void k1(O: tensor<f32>[64]) {                      //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

__global__ void k2(O: tensor<f32>[64]) {           //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

kernal k3(O: tensor<f32>[64]) {                    //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

Kernel k4(O: tensor<f32>[64]) {                    //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

kernell k5(O: tensor<f32>[64]) {                   //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

extern "C" __global__ void k6(O: tensor<f32>[64]) {   //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel k7<T>(O: tensor<f32>[64]) {                 //! error: unexpected `<`: there are no type parameters; a dimension is named in a parameter's type, as in `tensor<f32>[N]`   //~ fix: Remove it
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel void k8(O: tensor<f32>[64]) {               //! error: a kernel has no result   //~ fix: Remove `void`
  O[0] = nope                                      //! error: there is no `nope` here
}

def k9(O: tensor<f32>[64]) {                       //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here
}

def k10(O: tensor<f32>[64]):                       //! error: a kernel begins with `kernel`   //~ fix: Write `kernel`
  O[0] = nope                                      //! error: there is no `nope` here

@triton.jit                                        //! error: there is no attribute `@triton.jit`   //~ fix: Remove it
kernel k11(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

#define T 32                                       //! error: there is no preprocessor: a constant is declared with `let` in a body, or with `@autotune(N in [64])` above a kernel
kernel k12(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

const U = 32                                       //! error: a constant is declared with `let` in a body, or with `@autotune(N in [64])` above a kernel
kernel k13(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

struct P { x: f32 }                                //! error: there is no `struct`: a value is a number, a `bool` or a tile
kernel k14(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

typedef float real;                                //! error: there is no `typedef`: types have no other names
kernel k15(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

#include <cuda.h>                                  //! error: nothing is included: a file stands by itself
kernel k16(O: tensor<f32>[64]) {
  O[0] = nope                                      //! error: there is no `nope` here
}

kernel fn unnamed(a: f32) -> f32 {                 //! error: expected the kernel's name   //~ fix: Remove `kernel`
  return a + nope                                  //! error: there is no `nope` here
}
