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

double bytes_moved(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions) {
  double bytes = 0;
  for (const ir::Parameter& parameter : kernel.parameters) {
    if (!parameter.type.is_buffer()) continue;
    double elements = 1;
    for (const std::int64_t extent : parameter.type.shape) elements *= static_cast<double>(ir::is_dynamic(extent) ? dimensions[ir::dimension_of(extent)] : extent);
    bytes += elements * size_of(parameter.type.element) * ((parameter.read ? 1 : 0) + (parameter.written ? 1 : 0));
  }
  return bytes;
}

}  // namespace phobos::launch
