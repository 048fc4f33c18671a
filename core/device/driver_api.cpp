#include "driver_api.h"

#include <dlfcn.h>

#include <cstdlib>

#include <fmt/format.h>

namespace phobos::device {

Result<std::shared_ptr<const DriverApi>> DriverApi::load() {
  const char* named = std::getenv("PHOBOS_DRIVER");  // another library, for tests
  const char* name = named != nullptr && *named != '\0' ? named : "libcuda.so.1";
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return Error{fmt::format("the NVIDIA driver's library {} cannot be opened ({})", name, why != nullptr ? why : "no reason given")};
  }
  auto api = std::make_shared<DriverApi>();
#define PHOBOS_CU(member, symbol, parameters)                                             \
  api->member = reinterpret_cast<CuResult(*) parameters>(dlsym(library, symbol));         \
  if (api->member == nullptr) return Error{"the NVIDIA driver is too old: libcuda.so.1 has no " symbol};
  PHOBOS_CU_FUNCTIONS(PHOBOS_CU)
#undef PHOBOS_CU
  return std::shared_ptr<const DriverApi>(std::move(api));
}

std::string DriverApi::describe(CuResult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  error_name(result, &name);
  error_text(result, &text);
  if (name == nullptr) return fmt::format("CUDA error {}", result);
  return text == nullptr ? name : fmt::format("{}: {}", name, text);
}

}  // namespace phobos::device
