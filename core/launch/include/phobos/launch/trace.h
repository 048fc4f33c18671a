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
  std::vector<sim::Seen> at;  // of a store: the index or start of each axis
};

struct TraceStep {
  std::int64_t number = 0;  // from 0
  Span range;
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

// Runs the CTA number `cta` of the grid (x fastest), and those that it waits for or that wait for it; `kernel` was lowered for a
// trace. `take` gets each step as it is made. At most `most` of them.
Trace trace(const ir::Kernel& kernel, Bound& bound, const Grid& grid, std::int64_t cta, std::int64_t most, sim::Options options,
            const std::function<void(TraceStep)>& take);

// Whether a value is the same for all threads that may be there: what is told of it once, and not for each.
bool told_once(const TraceWrite& write);

}  // namespace phobos::launch
