// A tensor at a glance.
#pragma once

#include <cstdint>
#include <string>

#include <phobos/launch/tensor.h>

namespace phobos::launch {

// Over the elements that are not NaN; all zero where there are none.
struct Summary {
  double min = 0, max = 0, mean = 0;
  std::int64_t nan = 0;
  std::int64_t counted = 0;  // elements that are not NaN
};
Summary summarise(const HostTensor& tensor);

}  // namespace phobos::launch
