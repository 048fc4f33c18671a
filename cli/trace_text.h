// The steps of a trace as text: JSON lines, and a listing for people.
#pragma once

#include <string>

#include <phobos/launch/trace.h>

#include "output.h"

namespace phobos::cli {

// As docs/simulator.md has it. `more`: it is the last one of a trace that was cut off.
Json step_json(const Source& source, const launch::TraceStep& step, int threads, bool more);

// What a step wrote, as `x = 3.5`; of values that differ those of the first lanes.
std::string write_text(const launch::TraceWrite& write, const launch::TraceStep& step, int threads, std::size_t most_values);
// The value of a write for one thread; `O[3, 5] = 1` of a store.
std::string value_text(const launch::TraceWrite& write, int thread, int threads);
std::string type_text(const sim::Seen& value);
// One line, and one for each further thing that is told of the step.
std::string step_text(const Source& source, const launch::TraceStep& step, int threads);

}  // namespace phobos::cli
