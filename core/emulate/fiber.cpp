#include "fiber.h"

#include <cstdint>
#include <new>

#include <sys/mman.h>

// phobos_emulate_switch(void** from, void* to): stores the stack pointer in *from and goes on with `to`. On a fresh stack the return
// address is phobos_emulate_start, which calls the body with its argument, both taken from registers that the switch restores.
#if defined(__x86_64__)
asm(R"(
.text
.globl phobos_emulate_switch
.type phobos_emulate_switch, @function
phobos_emulate_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.globl phobos_emulate_start
.type phobos_emulate_start, @function
phobos_emulate_start:
  movq %r12, %rdi
  xorl %ebp, %ebp
  callq *%rbx
  ud2
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl phobos_emulate_switch
.type phobos_emulate_switch, %function
phobos_emulate_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.globl phobos_emulate_start
.type phobos_emulate_start, %function
phobos_emulate_start:
  mov x0, x20
  mov x29, #0
  blr x19
  brk #1
)");
#else
#error "the emulator switches stacks by hand, and does not know how on this machine"
#endif

extern "C" void phobos_emulate_switch(void** from, void* to);
extern "C" void phobos_emulate_start();

namespace phobos::emulate {

namespace {
constexpr std::size_t guard_bytes = 64 * 1024;  // a multiple of any page
}

Stack::Stack(std::size_t bytes) : bytes_(bytes + guard_bytes) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(memory);
  mprotect(base_, guard_bytes, PROT_NONE);
}

Stack::~Stack() {
  if (base_) munmap(base_, bytes_);
}

Fiber::Fiber(const Stack& stack, void (*body)(void*), void* argument) {
  auto** top = reinterpret_cast<void**>(stack.top());
#if defined(__x86_64__)
  // As the switch leaves it: r15 r14 r13 r12 rbx rbp, then where to return to; aligned as before a call.
  void** frame = top - 9;
  for (int i = 0; i < 9; ++i) frame[i] = nullptr;
  frame[3] = argument;
  frame[4] = reinterpret_cast<void*>(body);
  frame[6] = reinterpret_cast<void*>(&phobos_emulate_start);
#else
  void** frame = top - 20;
  for (int i = 0; i < 20; ++i) frame[i] = nullptr;
  frame[0] = reinterpret_cast<void*>(body);
  frame[1] = argument;
  frame[11] = reinterpret_cast<void*>(&phobos_emulate_start);
#endif
  inside_ = frame;
}

void Fiber::resume() { phobos_emulate_switch(&outside_, inside_); }
void Fiber::suspend() { phobos_emulate_switch(&inside_, outside_); }

}  // namespace phobos::emulate
