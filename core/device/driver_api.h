// The part of the CUDA driver's interface that is used here, declared by hand: no header of the toolkit is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <phobos/support/result.h>

namespace phobos::device {

using CuResult = int;  // 0 is success
using CuDevice = int;
using CuPointer = unsigned long long;
using CuContext = struct CuContextObject*;
using CuModule = struct CuModuleObject*;
using CuFunction = struct CuFunctionObject*;
using CuEvent = struct CuEventObject*;
using CuStream = struct CuStreamObject*;

inline constexpr CuResult not_ready = 600;  // of event_query

// Values of CUdevice_attribute, CUfunction_attribute, CUjit_option.
enum : int {
  attribute_multiprocessors = 16,
  attribute_major = 75,
  attribute_minor = 76,
  attribute_shared_optin = 97,
  function_dynamic_shared = 8,
  jit_info_log_buffer = 3,
  jit_info_log_size = 4,
  jit_error_log_buffer = 5,
  jit_error_log_size = 6,
  host_device_map = 2,  // of CU_MEMHOSTALLOC
  map_bytes_1 = 0, map_bytes_2 = 1, map_bytes_4 = 2,  // CUtensorMapDataType: elements that are only moved;
  map_tf32 = 11,                                      // of f32, rounded on the way
  map_promote_256 = 3,                                // CUtensorMapL2promotion
};

// PHOBOS_CU(member, symbol, parameters)
#define PHOBOS_CU_FUNCTIONS(X)                                                                                          \
  X(init, "cuInit", (unsigned))                                                                                         \
  X(driver_version, "cuDriverGetVersion", (int*))                                                                       \
  X(error_name, "cuGetErrorName", (CuResult, const char**))                                                             \
  X(error_text, "cuGetErrorString", (CuResult, const char**))                                                           \
  X(device_count, "cuDeviceGetCount", (int*))                                                                           \
  X(device_get, "cuDeviceGet", (CuDevice*, int))                                                                        \
  X(device_name, "cuDeviceGetName", (char*, int, CuDevice))                                                             \
  X(device_memory, "cuDeviceTotalMem_v2", (std::size_t*, CuDevice))                                                     \
  X(device_attribute, "cuDeviceGetAttribute", (int*, int, CuDevice))                                                    \
  X(context_retain, "cuDevicePrimaryCtxRetain", (CuContext*, CuDevice))                                                 \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", (CuDevice))                                                        \
  X(context_set, "cuCtxSetCurrent", (CuContext))                                                                        \
  X(context_synchronise, "cuCtxSynchronize", ())                                                                        \
  X(memory_allocate, "cuMemAlloc_v2", (CuPointer*, std::size_t))                                                        \
  X(memory_free, "cuMemFree_v2", (CuPointer))                                                                           \
  X(memory_upload, "cuMemcpyHtoD_v2", (CuPointer, const void*, std::size_t))                                            \
  X(memory_download, "cuMemcpyDtoH_v2", (void*, CuPointer, std::size_t))                                                \
  X(memory_fill, "cuMemsetD8_v2", (CuPointer, unsigned char, std::size_t))                                              \
  X(module_load, "cuModuleLoadDataEx", (CuModule*, const void*, unsigned, int*, void**))                                \
  X(module_unload, "cuModuleUnload", (CuModule))                                                                        \
  X(module_function, "cuModuleGetFunction", (CuFunction*, CuModule, const char*))                                       \
  X(function_set, "cuFuncSetAttribute", (CuFunction, int, int))                                                         \
  X(launch, "cuLaunchKernel",                                                                                           \
    (CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CuStream, void**, void**))       \
  X(event_create, "cuEventCreate", (CuEvent*, unsigned))                                                                \
  X(event_destroy, "cuEventDestroy_v2", (CuEvent))                                                                      \
  X(event_record, "cuEventRecord", (CuEvent, CuStream))                                                                 \
  X(event_query, "cuEventQuery", (CuEvent))                                                                             \
  X(host_allocate, "cuMemHostAlloc", (void**, std::size_t, unsigned))                                                   \
  X(host_address, "cuMemHostGetDevicePointer_v2", (CuPointer*, void*, unsigned))                                        \
  X(host_free, "cuMemFreeHost", (void*))                                                                                \
  X(map_encode, "cuTensorMapEncodeTiled",                                                                               \
    (void*, int, std::uint32_t, void*, const std::uint64_t*, const std::uint64_t*, const std::uint32_t*,               \
     const std::uint32_t*, int, int, int, int))                                                                        \
  X(event_elapsed, "cuEventElapsedTime", (float*, CuEvent, CuEvent))

struct DriverApi {
#define PHOBOS_CU(member, symbol, parameters) CuResult(*member) parameters = nullptr;
  PHOBOS_CU_FUNCTIONS(PHOBOS_CU)
#undef PHOBOS_CU

  // The library stays loaded for as long as the process lives: the driver does not survive being unloaded.
  static Result<std::shared_ptr<const DriverApi>> load();

  // "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
  std::string describe(CuResult result) const;
};

}  // namespace phobos::device
