// Where kernels run: the GPU, opened at most once, or the simulator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <phobos/device/device.h>
#include <phobos/support/result.h>

namespace phobos::cli {

class Devices {
 public:
  // Opened at the first call.
  const Result<std::unique_ptr<device::Device>>& gpu();

  // By `auto`, `gpu` or `sim`; null is the simulator. Fails only for `gpu` where there is none.
  Result<device::Device*> choose(const std::string& device);

 private:
  std::optional<Result<std::unique_ptr<device::Device>>> gpu_;
};

std::string unknown_chip(const std::string& chip);
std::string device_name(const device::Device* device);
// `wanted`, or what suits the GPU, or sm_90a. Fails for a chip that the compiler does not know.
Result<std::string> chip_for(const std::string& wanted, const device::Device* device);

// The path of ptxas, from PATH and the toolkit's usual places.
std::optional<std::string> find_ptxas();

}  // namespace phobos::cli
