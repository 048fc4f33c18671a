// How long a launch may take, by a model of the chip: for an order in which to look at variants, and for leaving out those that are
// far behind. No measurement.
#pragma once

#include <cstdint>

#include <phobos/passes/chip.h>

namespace phobos::tune {

struct Load {
  double operations = 0;      // of the whole grid
  double least_bytes = 0;     // of the tensors, each once
  double traffic = 0;         // bytes that the CTAs load and store
  std::int64_t ctas = 0;
  int threads = 256;
  passes::Occupancy occupancy;
  int multiprocessors = 132;
  int operand_bytes = 0;      // of contractions on the tensor cores; 0: there are none
  bool wgmma = false;         // they are of sm_90a
  std::int64_t spilled = 0;   // bytes of a thread
};

double estimated_milliseconds(const Load& load);

}  // namespace phobos::tune
