// The steps of one CTA on the simulator: statement by statement, with the threads that were there, what they wrote, and what happened.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <phobos/launch/execute.h>
#include <phobos/sim/told.h>

namespace phobos::launch {

struct TraceWrite {
  std::string name;      // a variable, or an element or a slice as written in the source
  Kind kind = Kind::Uniform;
  sim::Seen value;
  std::vector<sim::Seen> at;  // of a store: the index or start of each axis; of `elem` and atomics one, row-major
  int parameter = -1;         // of a store to a tensor: which parameter of the kernel that is
};

struct TraceStep {
  std::int64_t number = 0;  // from 0
  Span range;
  std::uint32_t call = 0;   // the inlined call that it belongs to, as in ir::Op::call
  std::array<std::int64_t, 3> block{};
  std::vector<int> active;  // threads of the CTA, ascending; none where another CTA found something
  std::vector<TraceWrite> writes;
  std::optional<TraceWrite> condition;  // of a branch or a loop, which writes nothing
  std::string event;    // barrier, grid_barrier, divergence, break, continue, return, print, race, oob …; empty for none
  std::string message;  // of what was found, a line each
  std::vector<diag::Diagnostic> found;  // the same, with the other places that it concerns
  std::vector<sim::Printed> printed;
};

struct Trace {
  int threads = 0;
  std::vector<diag::Diagnostic> findings;
  bool cut = false;       // there was more than asked for
  bool finished = true;
};

// What is kept at most.
struct TraceLimits {
  std::int64_t steps = 10'000;
  std::int64_t elements = 1024;  // of a tile
  std::size_t bytes = SIZE_MAX;  // of all values
};

// Runs the CTA number `cta` of the grid (x fastest), and those that it waits for or that wait for it; `kernel` was lowered for a
// trace. `take` gets each step as it is made.
Trace trace(const ir::Kernel& kernel, Bound& bound, const Grid& grid, std::int64_t cta, const TraceLimits& limits, sim::Options options,
            const std::function<void(TraceStep)>& take);

// Operations of a CTA, as of a run.
constexpr std::int64_t trace_budget = 100'000'000;

// The number of the CTA that `X[,Y[,Z]]` names; of an empty text the first.
Result<std::int64_t> cta_of(const std::string& block, const Grid& grid);

// Whether a value is the same for all threads that may be there: what is told of it once, and not for each.
bool told_once(const TraceWrite& write);

}  // namespace phobos::launch
