#include "fence.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>

#include "options.h"

namespace phobos::cli {
namespace {

void (*restore_first)() = nullptr;

// Only what may be called in a signal handler.
template <std::size_t size>
void write_plainly(const char (&text)[size]) {
  const ssize_t written = write(STDERR_FILENO, text, size - 1);
  static_cast<void>(written);
}

extern "C" void on_fatal_signal(int signal) {
  if (restore_first != nullptr) restore_first();
  write_plainly("phobos: a fault of the program itself (");
  switch (signal) {
    case SIGSEGV: write_plainly("invalid memory access, or the stack ran out"); break;
    case SIGBUS: write_plainly("bus error"); break;
    case SIGFPE: write_plainly("arithmetic fault"); break;
    case SIGILL: write_plainly("illegal instruction"); break;
    default: write_plainly("abort"); break;
  }
  write_plainly("); please report it with the input that led to it\n");
  _exit(exit_fault);
}

void report(const char* what) {
  std::fprintf(stderr, "phobos: a fault of the program itself (%s); please report it with the input that led to it\n", what);
}

}  // namespace

void on_fault(void (*restore)()) { restore_first = restore; }

void catch_fatal_signals() {
  signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows up as a failed write, and so does a file that may grow no more
  signal(SIGXFSZ, SIG_IGN);
#if !defined(__SANITIZE_ADDRESS__)
  // A stack of its own, for the case that the stack is what ran out. It lives as long as the process.
  constexpr std::size_t bytes = 64 * 1024;
  stack_t stack = {};
  stack.ss_sp = std::make_unique<char[]>(bytes).release();
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_fatal_signal;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(fatal, &action, nullptr);
#endif
}

int fenced(const std::function<int()>& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    std::fputs("phobos: the memory of this machine is used up\n", stderr);
  } catch (const std::exception& exception) {
    report(exception.what());
  } catch (...) {
    report("unknown exception");
  }
  return exit_fault;
}

}  // namespace phobos::cli
