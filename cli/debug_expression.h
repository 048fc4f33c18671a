// Expressions over what a recording holds behind a step: watches and the conditions of breakpoints, in the language itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <phobos/sema/constants.h>

#include "debug_recording.h"

namespace phobos::cli {

// One value for each thread of the CTA.
struct PerThread {
  ScalarType type = ScalarType::Index;
  Kind kind = Kind::Uniform;
  std::vector<sema::Constant> values;
  std::vector<std::uint8_t> known;  // 0: the thread has none
  bool truth(std::size_t thread) const;
  std::string text(std::size_t thread) const;  // `-` where it is not known
};

// Where an expression stands: behind a step, inside of a call.
struct Moment {
  const Recording* recording;
  std::size_t step;
  std::uint32_t call;
};

// Checked as in a kernel, and computed as one does: literals, names, elements of tiles and tensors, fields of `ctx`, operators,
// conversions, functions of numbers, functions of the file without branches, and folds over lanes and threads. The error says what
// cannot be told.
Result<PerThread> evaluate(const std::string& expression, const Moment& moment);

}  // namespace phobos::cli
