#include <phobos/launch/summary.h>

#include <algorithm>
#include <cmath>

namespace phobos::launch {

Summary summarise(const HostTensor& tensor) {
  Summary summary;
  double sum = 0;
  for (std::int64_t i = 0, count = tensor.count(); i < count; ++i) {
    const double value = tensor.real_at(i);
    if (std::isnan(value)) {
      ++summary.nan;
      continue;
    }
    summary.min = summary.counted == 0 ? value : std::min(summary.min, value);
    summary.max = summary.counted == 0 ? value : std::max(summary.max, value);
    sum += value;
    ++summary.counted;
  }
  if (summary.counted != 0) summary.mean = sum / static_cast<double>(summary.counted);
  return summary;
}

}  // namespace phobos::launch
