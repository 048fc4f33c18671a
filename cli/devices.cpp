#include "devices.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <phobos/nvptx/nvptx.h>

namespace phobos::cli {

const Result<std::unique_ptr<device::Device>>& Devices::gpu() {
  if (!gpu_) gpu_.emplace(device::Device::open());
  return *gpu_;
}

Result<device::Device*> Devices::choose(const std::string& device) {
  if (device == "sim") return nullptr;
  const Result<std::unique_ptr<device::Device>>& found = gpu();
  if (found) return found.value().get();
  if (device == "auto") return nullptr;
  return Error{fmt::format("there is no GPU to run on: {}", found.message())};
}

std::string unknown_chip(const std::string& chip) {
  return fmt::format("`{}` is no chip that can be compiled for; sm_80, sm_86, sm_89, sm_90 and sm_90a are", chip);
}

std::string device_name(const device::Device* device) { return device == nullptr ? "simulator" : device->info().name; }

Result<std::string> chip_for(const std::string& wanted, const device::Device* device) {
  if (!wanted.empty()) {
    if (nvptx::known_chip(wanted)) return wanted;
    return Error{unknown_chip(wanted)};
  }
  if (device == nullptr) return std::string("sm_90a");
  if (nvptx::known_chip(device->info().chip)) return device->info().chip;
  // PTX for an older chip runs on a newer one.
  const int number = std::atoi(device->info().chip.c_str() + 3);
  for (const int older : {90, 89, 86, 80})
    if (older <= number) return fmt::format("sm_{}", older);
  return Error{fmt::format("the GPU here is {}, and sm_80 is the oldest that can be compiled for", device->info().chip)};
}

std::optional<std::string> find_ptxas() {
  std::string places = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable)) places += fmt::format(":{}/bin", root);
  places += ":/usr/local/cuda/bin:/opt/cuda/bin";
  std::string_view rest = places;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = fmt::format("{}/ptxas", rest.substr(0, colon));
    std::error_code fault;
    if (std::filesystem::is_regular_file(candidate, fault) && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return std::nullopt;
}

}  // namespace phobos::cli
