// The CUDA driver, opened at run time (libcuda.so.1): one build works with and without a GPU, and needs no CUDA toolkit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <phobos/support/result.h>

namespace phobos::device {

struct Info {
  std::string name;           // "NVIDIA H200"
  std::string chip;           // "sm_90a" for compute capability 9.0, "sm_80" for 8.0 …
  int driver_version = 0;     // 13000 for 13.0
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  std::size_t shared_bytes_optin = 0;  // most dynamic shared memory a block may ask for
};

class Buffer;
class HostBuffer;
class Module;
struct DriverApi;

struct LaunchConfig {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::uint32_t threads = 256;
  std::uint32_t dynamic_shared_bytes = 0;
};

// A tensor of two axes, row by row, and the box of it that a bulk copy moves.
struct TensorMap {
  std::uint64_t address = 0, rows = 0, columns = 0;
  std::uint32_t element_bytes = 0, box_rows = 0, box_columns = 0;
  std::uint32_t swizzle = 0;  // bytes of a row in shared memory, 128, 64 or 32, in which pieces are exchanged
  bool rounds = false;        // f32 to tf32, on the way to shared memory
};
// As a kernel takes it.
struct alignas(64) EncodedMap {
  std::byte bytes[128];
};

struct TimeOptions {
  int repeats = 1;
  double seconds = 0;                        // that each launch may take; 0: as long as it does
  const std::uint64_t* stop_when = nullptr;  // in memory that the kernel writes: not 0 ends the wait as well
};

// Of one thread: the one that opened it. Buffers and modules are freed before their device.
class Device {
 public:
  // The first GPU, with its primary context. The error says which layer is missing: no driver library, no device, a driver
  // that is too old.
  static Result<std::unique_ptr<Device>> open();
  // What it would be, without a context: cheaper, and nothing is left behind.
  static Result<Info> probe();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Info& info() const;

  Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes);
  Result<void> upload(Buffer& to, const void* from, std::size_t bytes);
  Result<void> download(void* to, const Buffer& from, std::size_t bytes);
  // Every byte of it, as poison for what a kernel should write.
  Result<void> fill(Buffer& buffer, std::uint8_t value);
  // PTX (compiled by the driver) or a cubin. The error carries the driver's log.
  Result<std::unique_ptr<Module>> load(std::string_view image);
  // `arguments` point at each parameter's bytes, in the PTX order. Returns when queued; errors of the kernel itself show up in
  // synchronise().
  Result<void> launch(Module& module, const std::string& entry, const LaunchConfig& config, const std::vector<void*>& arguments);
  Result<void> synchronise();
  Result<void> encode(const TensorMap& map, EncodedMap& to) const;
  // Of the host, and seen by kernels, for what has to be read when the kernel has failed.
  Result<std::unique_ptr<HostBuffer>> allocate_host(std::size_t bytes);
  // Milliseconds between two events around `repeats` launches, each measured on its own. An error says what the GPU had against it,
  // for somebody who ran a kernel; behind one of a launch, this process's use of the GPU is spoiled.
  Result<std::vector<float>> time(Module& module, const std::string& entry, const LaunchConfig& config,
                                  const std::vector<void*>& arguments, const TimeOptions& options);

 private:
  struct State;
  explicit Device(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Device memory, freed with its owner.
class Buffer {
 public:
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::uint64_t address() const { return address_; }
  std::size_t size() const { return size_; }

 private:
  friend class Device;
  Buffer(std::shared_ptr<const DriverApi> api, std::uint64_t address, std::size_t size)
      : api_(std::move(api)), address_(address), size_(size) {}
  std::shared_ptr<const DriverApi> api_;
  std::uint64_t address_;
  std::size_t size_;
};

class HostBuffer {
 public:
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  const void* host() const { return host_; }
  std::uint64_t address() const { return address_; }  // for kernels

 private:
  friend class Device;
  HostBuffer(std::shared_ptr<const DriverApi> api, void* host, std::uint64_t address) : api_(std::move(api)), host_(host), address_(address) {}
  std::shared_ptr<const DriverApi> api_;
  void* host_;
  std::uint64_t address_;
};

class Module {
 public:
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

 private:
  friend class Device;
  Module(std::shared_ptr<const DriverApi> api, void* handle) : api_(std::move(api)), handle_(handle) {}
  std::shared_ptr<const DriverApi> api_;
  void* handle_;
};

}  // namespace phobos::device
