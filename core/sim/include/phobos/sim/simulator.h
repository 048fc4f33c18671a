// Runs a kernel of the tile IR on the CPU, a CTA at a time, all its threads at once: a varying value is an array over the threads
// with a mask of the active ones, a warp-uniform one an array over the warps, a uniform one a single value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ir/ir.h>
#include <phobos/sim/told.h>

namespace phobos::sim {

// A tensor's elements, row-major, in the element type's own form (bool a byte, f16 and bf16 their bits). Not owned.
struct Tensor {
  std::byte* data = nullptr;
  std::vector<std::int64_t> shape;
};
// A scalar: integers and bool as int64, floats as double.
using Argument = std::variant<Tensor, std::int64_t, double>;

struct Launch {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<Argument> arguments;       // one a parameter
  std::vector<std::int64_t> dimensions;  // one a dimension
};

struct Options {
  int workers = 0;           // 0: one a core. Neither results nor findings depend on it,
  std::int64_t stride = 1;   // nor on this: CTA i * stride % CTAs is the i-th to be begun, if that comes to all of them
  bool checks = true;        // watch accesses: find races and reads of what nothing has written
  bool check_kinds = false;  // compute every value per thread and report each that differs where it was inferred not to
  std::int64_t step_budget = 0;  // operations per CTA, 0: none. Past it the CTA is stopped and reported.
  std::int64_t most_prints = 1000;  // lines of `print` that are kept, those of the first CTAs
  Watcher* watcher = nullptr;       // of a kernel that was lowered for a trace
  std::int64_t watched_cta = 0;     // whose steps it is told; where CTAs do not depend on each other no other one runs
  std::stop_token stop;
  std::function<void(std::int64_t done, std::int64_t total)> progress;  // CTAs; called from any worker
};

struct Outcome {
  bool finished = true;  // false: stopped by the stop token, or an error was found
  std::vector<Printed> prints;       // by CTA, and in each in the order in which they were printed
  std::int64_t prints_left_out = 0;  // by which CTAs have printed more than is kept
  std::int64_t ctas_done = 0;
  std::vector<diag::Diagnostic> findings;  // spans absolute in the file; at most 20, one a place in the source
  std::int64_t finding_cta = -1;           // whose they are; -1: of several, or of none
};

// Bytes that a run takes beside its tensors, before what checks add as they go (docs/simulator.md): those of the CTAs that are live.
double memory_beside_tensors(const ir::Kernel& kernel, std::int64_t ctas, const Options& options);

// What is wrong with a grid of so many CTAs, where all of them have to be live.
std::optional<diag::Diagnostic> too_many_to_wait(const ir::Kernel& kernel, std::int64_t ctas);

// Whether a CTA may wait for what another one does.
bool may_wait(const ir::Kernel& kernel);

// The launch has been checked by the caller: as many arguments as parameters, each of the right form, shape and type.
Outcome run(const ir::Kernel& kernel, const Launch& launch, const Options& options = {});

}  // namespace phobos::sim
