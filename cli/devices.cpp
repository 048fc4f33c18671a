#include "devices.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <phobos/nvptx/nvptx.h>

namespace phobos::cli {

const Result<std::unique_ptr<device::Worker>>& Devices::gpu() {
  if (!gpu_) gpu_.emplace(device::Worker::start());
  return *gpu_;
}

Result<device::Worker*> Devices::choose(const std::string& device) {
  if (device == "sim") return nullptr;
  const Result<std::unique_ptr<device::Worker>>& found = gpu();
  if (found) return found.value().get();
  if (device == "auto") return nullptr;
  return Error{fmt::format("there is no GPU to run on: {}", found.message())};
}

std::string unknown_chip(const std::string& chip) {
  return fmt::format("`{}` is no chip that can be compiled for; {} are", chip, passes::chip_names());
}

std::string device_name(const device::Worker* device) { return device == nullptr ? "simulator" : device->info().name; }

Result<std::string> chip_for(const std::string& wanted, const device::Worker* device) {
  if (!wanted.empty()) {
    if (passes::find_chip(wanted)) return wanted;
    return Error{unknown_chip(wanted)};
  }
  if (device == nullptr) return std::string("sm_90a");
  if (passes::find_chip(device->info().chip)) return device->info().chip;
  // PTX for an older chip runs on a newer one, where it is not for that chip alone (`sm_90a`).
  const int number = std::atoi(device->info().chip.c_str() + 3);
  const passes::Chip* newest = nullptr;
  for (const passes::Chip& chip : passes::chips())
    if (chip.capability <= number && !chip.name.ends_with('a')) newest = &chip;
  if (newest) return std::string(newest->name);
  return Error{fmt::format("the GPU here is {}, and {} is the oldest that can be compiled for", device->info().chip, passes::chips().front().name)};
}

std::optional<std::string> find_ptxas() {
  if (const char* named = std::getenv("PHOBOS_PTXAS"); named != nullptr && *named != '\0') {
    if (access(named, X_OK) == 0) return named;
    return std::nullopt;
  }
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
