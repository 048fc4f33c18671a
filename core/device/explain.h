// What the driver's results mean for somebody who ran a kernel.
#pragma once

#include <string>

#include "driver_api.h"

namespace phobos::device {

// Of a launch, or of waiting for it.
std::string explain_run(const DriverApi& api, CuResult result);
std::string explain_launch(const DriverApi& api, CuResult result, unsigned threads, unsigned shared_bytes);
std::string too_long(double seconds);

}  // namespace phobos::device
