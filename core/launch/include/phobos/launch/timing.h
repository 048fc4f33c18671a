// What a series of runs took.
#pragma once

#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/launch/bind.h>

namespace phobos::launch {

struct Timing {
  double median = 0, low = 0, high = 0;  // milliseconds; low and high are the quartiles
};
Timing timing_of(std::vector<double> milliseconds);

// Bytes of the tensors that a run has to read and to write at least once.
double bytes_moved(const ir::Kernel& kernel, const Bound& bound);
double bytes_moved(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions);

}  // namespace phobos::launch
