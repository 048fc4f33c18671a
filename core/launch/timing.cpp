#include <phobos/launch/timing.h>

#include <algorithm>

namespace phobos::launch {

Timing timing_of(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return {};
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto at = [&](double fraction) {
    return milliseconds[static_cast<std::size_t>(fraction * static_cast<double>(milliseconds.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.25), at(0.75)};
}

double bytes_moved(const ir::Kernel& kernel, const Bound& bound) {
  double bytes = 0;
  for (std::size_t p = 0; p < bound.arguments.size(); ++p) {
    const HostTensor* tensor = std::get_if<HostTensor>(&bound.arguments[p]);
    if (tensor == nullptr) continue;
    const int passes = (kernel.parameters[p].read ? 1 : 0) + (kernel.parameters[p].written ? 1 : 0);
    bytes += static_cast<double>(tensor->data.size()) * passes;
  }
  return bytes;
}

}  // namespace phobos::launch
