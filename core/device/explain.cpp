#include "explain.h"

#include <fmt/format.h>

namespace phobos::device {

std::string explain_run(const DriverApi& api, CuResult result) {
  const std::string name = api.describe(result);
  switch (result) {
    case 700:
      return fmt::format("the kernel touched memory that is not its own ({}): a point access outside of its tensor, most likely; "
                         "`--checked` says where, and so does `--device sim`", name);
    case 716:
    case 717: return fmt::format("the kernel touched memory in a way that the GPU does not allow ({}); `--device sim` may say where", name);
    case 715:
    case 718:
    case 719: return fmt::format("the kernel was stopped by the GPU ({}); `--checked` or `--device sim` may say why", name);
    case 702: return fmt::format("the kernel was stopped by the driver, which lets none run so long on this GPU ({}): it has a display", name);
    case 214: return fmt::format("the GPU's memory failed ({}): the machine's fault, not the kernel's", name);
    default: return fmt::format("running the kernel failed: {}", name);
  }
}

std::string explain_launch(const DriverApi& api, CuResult result, unsigned threads, unsigned shared_bytes) {
  const std::string name = api.describe(result);
  switch (result) {
    case 701:
      return fmt::format("the GPU cannot start the kernel ({}): {} threads a CTA and {} bytes of dynamic shared memory are more than it has "
                         "registers or memory for; fewer threads, smaller tiles, or a third number in `@launch` mend that", name, threads, shared_bytes);
    case 1: return fmt::format("the GPU does not take the launch ({}): its grid, its threads or its shared memory are past a limit", name);
    case 209: return fmt::format("the code is for another chip ({}); leave `--chip` out to compile for the one that is here", name);
    default: return fmt::format("launching the kernel failed: {}", name);
  }
}

std::string too_long(double seconds) {
  return fmt::format("the kernel was stopped: it did not end within {:.3g} s; `--timeout` allows more", seconds);
}

}  // namespace phobos::device
