// Expressions over what a recording holds behind a step: watches and the conditions of breakpoints, in the language itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debug_recording.h"

namespace phobos::cli {

// One value for each thread of the CTA. Numbers are computed in 64 bits.
struct PerThread {
  enum class Form { Integer, Real, Bool };
  Form form = Form::Integer;
  Kind kind = Kind::Uniform;
  std::vector<std::int64_t> integers;  // of integers and bools
  std::vector<double> reals;
  std::vector<std::uint8_t> known;     // 0: the thread has none
  std::size_t size() const { return known.size(); }
  double real(std::size_t thread) const { return form == Form::Real ? reals[thread] : static_cast<double>(integers[thread]); }
  bool truth(std::size_t thread) const { return known[thread] != 0 && (form == Form::Real ? reals[thread] != 0 : integers[thread] != 0); }
  std::string text(std::size_t thread) const;  // `-` where it is not known
};

// Where an expression stands: behind a step, inside of a call.
struct Moment {
  const Recording* recording;
  std::size_t step;
  std::uint32_t call;
};

// Literals, names, elements of tiles and tensors, fields of `ctx`, operators, conversions, a few functions of numbers, and folds over
// lanes and threads. The error says what cannot be told.
Result<PerThread> evaluate(const std::string& expression, const Moment& moment);

}  // namespace phobos::cli
