// A thread of control with a stack of its own, entered and left by hand. Switching saves what the calling convention asks a callee to
// keep, and nothing else: no system call, a few nanoseconds.
#pragma once

#include <cstddef>
#include <functional>

namespace phobos::emulate {

class Stack {
 public:
  explicit Stack(std::size_t bytes);  // throws std::bad_alloc; the lowest page is not to be touched
  ~Stack();
  Stack(Stack&& other) noexcept : base_(other.base_), bytes_(other.bytes_) { other.base_ = nullptr; }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  std::byte* top() const { return base_ + bytes_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
};

class Fiber {
 public:
  // `body` runs on the stack at the first `resume`, and must not return: it ends by a `suspend` after which nobody resumes.
  Fiber(const Stack& stack, void (*body)(void*), void* argument);

  void resume();   // from outside: until the fiber suspends
  void suspend();  // from inside

 private:
  void* inside_ = nullptr;   // stack pointers
  void* outside_ = nullptr;
};

}  // namespace phobos::emulate
