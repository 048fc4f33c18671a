// Two tensors that should be the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <phobos/launch/tensor.h>

namespace phobos::launch {

struct Tolerance {
  double relative = 0, absolute = 0;
};
// Where nothing is said: exact for integers; for floats what two orders of the same sums differ by, relative to the element and to the
// tensor's size (its root mean square), whichever is larger. With a relative tolerance alone, floats get an absolute one as well, that
// of an element a hundredth of the tensor's size: a sum that cancels to near zero still has the rounding of its terms. With an
// absolute tolerance alone, or a relative one of 0, there is no other.
Tolerance tolerance_for(const HostTensor& actual, const HostTensor& expected, std::optional<double> relative,
                        std::optional<double> absolute);

struct Comparison {
  bool same = true;
  std::int64_t differing = 0;  // elements past the tolerance
  std::int64_t worst = -1;     // the row-major position of the one furthest past it
  std::string message;         // of a difference: how many, and the worst with its indices and both values
};

// |actual - expected| <= absolute + relative * |expected|, element by element. A NaN equals a NaN, an infinity itself; integers
// are compared as integers where both tolerances are 0. Element types may differ (a bf16 result against an f32 file).
Comparison compare(const HostTensor& actual, const HostTensor& expected, const Tolerance& tolerance);

}  // namespace phobos::launch
