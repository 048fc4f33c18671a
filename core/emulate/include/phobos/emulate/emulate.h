// Runs what would become PTX on the CPU: the LLVM module that `nvptx::emit_llvm` writes, compiled for the host, each thread of a CTA
// a fiber. What the module asks of the machine through `phobos.<operation>` (barriers, shuffles, predicated accesses, special
// registers) is a function of the host here, in which the threads meet. Threads run in a random order, so that a barrier that is
// missing shows as a wrong result; every access is checked against its address space, the bounds of what was passed, and the
// alignment that the instruction promises.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <phobos/support/result.h>

namespace phobos::emulate {

// A tensor's bytes, read and written in place. `written`: whether the kernel may store to it.
struct Buffer {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::string name;
  bool written = true;
};
// A tensor of two axes as bulk copies see it, by a map of 128 bytes that a parameter of the kernel is.
struct TensorMap {
  std::size_t argument = 0;  // its buffer
  std::uint64_t rows = 0, columns = 0;
  std::uint32_t element_bytes = 0, box_rows = 0, box_columns = 0;
  std::uint32_t swizzle = 0;  // bytes of a row of the box in shared memory
  bool rounds = false;        // f32 to tf32, on the way there
};
// What an entry takes, in the order of its PTX parameters: a buffer, or the bits of a scalar or dimension in the low bytes, or a map.
using Argument = std::variant<Buffer, std::uint64_t, TensorMap>;

struct Launch {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  int threads = 32;  // a multiple of 32
  std::size_t shared_bytes = 0;  // static and dynamic together
  bool all_live = false;         // CTAs that wait for each other run side by side, else one after the other;
  bool may_wait = false;         // those that may, where so many can be kept
  std::vector<Argument> arguments;
};

struct Options {
  std::uint64_t seed = 0;          // of the order in which threads run
  std::stop_token stop;            // ends the launch
  std::size_t most_printed = 100'000;  // lines that are kept
  std::int64_t step_budget = 0;    // memory accesses and turns of loops of a launch, all threads together; 0: none
};

// What would be undefined, or would hang, on the card.
struct Fault {
  std::string message;
  int line = 0, column = 0;  // from 1, of the source; 0 where it is not known
};

struct Outcome {
  bool finished = true;
  std::vector<Fault> faults;  // the first one; the launch ends there
  std::int64_t steps = 0, barriers = 0;
  std::vector<std::string> printed;   // lines, in the order in which the threads got there
  std::int64_t printed_left_out = 0;  // past the most that are kept
};

// `llvm` is the text of the module, `entry` its kernel. An error: more threads at once than can be kept, or a fault of ours, a module
// that cannot be read or compiled.
Result<Outcome> run(std::string_view llvm, const std::string& entry, const Launch& launch, const Options& options = {});

}  // namespace phobos::emulate
