// Where kernels run: the GPU, in a process of its own that starts at most once unless a kernel spoils it, or the simulator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <phobos/device/worker.h>
#include <phobos/support/result.h>

namespace phobos::cli {

class Devices {
 public:
  // Opened at the first call.
  const Result<std::unique_ptr<device::Worker>>& gpu();

  // By `auto`, `gpu` or `sim`; null is the simulator. Fails only for `gpu` where there is none.
  Result<device::Worker*> choose(const std::string& device);

 private:
  std::optional<Result<std::unique_ptr<device::Worker>>> gpu_;
};

std::string unknown_chip(const std::string& chip);
std::string device_name(const device::Worker* device);
// `wanted`, or what suits the GPU, or sm_90a. Fails for a chip that the compiler does not know.
Result<std::string> chip_for(const std::string& wanted, const device::Worker* device);

// The path of ptxas, from PHOBOS_PTXAS, else PATH and the toolkit's usual places.
std::optional<std::string> find_ptxas();

}  // namespace phobos::cli
