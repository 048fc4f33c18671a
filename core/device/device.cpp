#include <phobos/device/device.h>

#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "driver_api.h"
#include "explain.h"

namespace phobos::device {

struct Device::State {
  std::shared_ptr<const DriverApi> api;
  Info info;
  CuDevice device = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  bool has_context = false;
  ~State() {
    if (has_context) api->context_release(device);
  }
  Result<void> check(CuResult result, const char* doing) const {
    if (result == 0) return {};
    return Error{fmt::format("{} failed: {}", doing, api->describe(result))};
  }
};

namespace {

// "sm_90a": from 9.0 on, the architecture-specific features of the very chip are wanted.
std::string chip_of(int major, int minor) { return fmt::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : ""); }

// The first line that says anything is the one worth reading; the rest follows it.
std::string trimmed(const std::string& log) {
  const std::size_t end = log.find('\0');
  std::string text = log.substr(0, end);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

class Event {
 public:
  explicit Event(const DriverApi& api) : api_(api) {}
  ~Event() {
    if (event_ != nullptr) api_.event_destroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  CuResult create() { return api_.event_create(&event_, 0); }
  CuResult record() { return api_.event_record(event_, nullptr); }
  CuResult query() { return api_.event_query(event_); }
  CuResult since(const Event& start, float& milliseconds) const {
    return api_.event_elapsed(&milliseconds, start.event_, event_);
  }

 private:
  const DriverApi& api_;
  CuEvent event_ = nullptr;
};

Result<Info> info_of(const DriverApi& api, CuDevice device) {
  Info info;
  char name[256] = {};
  int major = 0, minor = 0, optin = 0;
  CuResult result = api.device_name(name, sizeof name - 1, device);
  if (result == 0) result = api.device_attribute(&major, attribute_major, device);
  if (result == 0) result = api.device_attribute(&minor, attribute_minor, device);
  if (result == 0) result = api.device_attribute(&info.multiprocessors, attribute_multiprocessors, device);
  if (result == 0) result = api.device_attribute(&optin, attribute_shared_optin, device);
  if (result == 0) result = api.device_memory(&info.memory_bytes, device);
  if (result == 0) result = api.driver_version(&info.driver_version);
  if (result != 0) return Error{fmt::format("the GPU cannot be asked what it is: {}", api.describe(result))};
  info.name = name;
  info.chip = chip_of(major, minor);
  info.shared_bytes_optin = static_cast<std::size_t>(optin);
  return info;
}

}  // namespace

Device::Device(std::unique_ptr<State> state) : state_(std::move(state)) {}
Device::~Device() = default;
const Info& Device::info() const { return state_->info; }

namespace {

// The first GPU, and what it is.
Result<Info> find_gpu(const DriverApi& api, CuDevice& device) {
  const auto failed = [&](CuResult result, const char* doing) { return Error{fmt::format("{} failed: {}", doing, api.describe(result))}; };
  if (const CuResult result = api.init(0); result != 0)
    return Error{fmt::format("the NVIDIA driver does not start: {}", api.describe(result))};
  int count = 0;
  if (const CuResult result = api.device_count(&count); result != 0) return failed(result, "counting the GPUs");
  if (count == 0) return Error{"the NVIDIA driver is here, but no GPU"};
  if (const CuResult result = api.device_get(&device, 0); result != 0) return failed(result, "opening the GPU");
  Result<Info> info = info_of(api, device);
  constexpr int least = 12000;
  if (info && info->driver_version < least)
    return Error{fmt::format("the NVIDIA driver is too old: it offers CUDA {}.{}, and 12.0 is the least", info->driver_version / 1000,
                             info->driver_version % 1000 / 10)};
  return info;
}

}  // namespace

Result<Info> Device::probe() {
  const Result<std::shared_ptr<const DriverApi>> api = DriverApi::load();
  if (!api) return api.error();
  CuDevice device = 0;
  return find_gpu(**api, device);
}

Result<std::unique_ptr<Device>> Device::open() {
  Result<std::shared_ptr<const DriverApi>> api = DriverApi::load();
  if (!api) return api.error();
  auto state = std::make_unique<State>();
  state->api = *api;
  const Result<Info> info = find_gpu(*state->api, state->device);
  if (!info) return info.error();
  state->info = *info;
  CuContext context = nullptr;
  if (Result<void> made = state->check(state->api->context_retain(&context, state->device), "making a context"); !made)
    return made.error();
  state->has_context = true;
  if (Result<void> set = state->check(state->api->context_set(context), "making a context"); !set) return set.error();
  return std::unique_ptr<Device>(new Device(std::move(state)));
}

Result<std::unique_ptr<HostBuffer>> Device::allocate_host(std::size_t bytes) {
  void* host = nullptr;
  CuPointer address = 0;
  CuResult result = state_->api->host_allocate(&host, bytes, host_device_map);
  if (result == 0) result = state_->api->host_address(&address, host, 0);
  if (result != 0) return Error{fmt::format("{} bytes of memory that the GPU sees cannot be had: {}", bytes, state_->api->describe(result))};
  std::memset(host, 0, bytes);
  return std::unique_ptr<HostBuffer>(new HostBuffer(state_->api, host, address));
}

Result<void> Device::encode(const TensorMap& map, EncodedMap& to) const {
  const int type = map.rounds ? map_tf32 : map.element_bytes == 1 ? map_bytes_1 : map.element_bytes == 2 ? map_bytes_2 : map_bytes_4;
  const std::uint64_t extents[] = {map.columns, map.rows}, strides[] = {map.columns * map.element_bytes};
  const std::uint32_t box[] = {map.box_columns, map.box_rows}, steps[] = {1, 1};
  const int swizzle = map.swizzle == 128 ? 3 : map.swizzle == 64 ? 2 : map.swizzle == 32 ? 1 : 0;
  const CuResult result = state_->api->map_encode(&to, type, 2, reinterpret_cast<void*>(map.address), extents, strides, box, steps, 0, swizzle,
                                                  map_promote_256, 0);
  return state_->check(result, "describing a tensor to bulk copies");
}

Result<std::unique_ptr<Buffer>> Device::allocate(std::size_t bytes) {
  CuPointer address = 0;
  if (const CuResult result = state_->api->memory_allocate(&address, bytes); result != 0)
    return Error{fmt::format("{} bytes of GPU memory cannot be had: {}", bytes, state_->api->describe(result))};
  return std::unique_ptr<Buffer>(new Buffer(state_->api, address, bytes));
}

Result<void> Device::upload(Buffer& to, const void* from, std::size_t bytes) {
  if (bytes > to.size()) return Error{fmt::format("{} bytes do not fit in a buffer of {}", bytes, to.size())};
  return state_->check(state_->api->memory_upload(to.address(), from, bytes), "copying to the GPU");
}

Result<void> Device::download(void* to, const Buffer& from, std::size_t bytes) {
  if (bytes > from.size()) return Error{fmt::format("a buffer of {} bytes has no {}", from.size(), bytes)};
  return state_->check(state_->api->memory_download(to, from.address(), bytes), "copying from the GPU");
}

Result<void> Device::fill(Buffer& buffer, std::uint8_t value) {
  return state_->check(state_->api->memory_fill(buffer.address(), value, buffer.size()), "filling GPU memory");
}

Result<std::unique_ptr<Module>> Device::load(std::string_view image) {
  const std::string text(image);  // PTX has to end in a zero byte
  std::string errors(16384, '\0');
  int options[] = {jit_error_log_buffer, jit_error_log_size};
  void* values[] = {errors.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(errors.size()))};
  CuModule module = nullptr;
  const CuResult result = state_->api->module_load(&module, text.data(), 2, options, values);
  if (result != 0) {
    const std::string log = trimmed(errors);
    return Error{fmt::format("the driver does not load the compiled kernel: {}{}{}", state_->api->describe(result),
                             log.empty() ? "" : "\n", log)};
  }
  return std::unique_ptr<Module>(new Module(state_->api, module));
}

namespace {

Result<CuFunction> function_of(const DriverApi& api, CuModule module, const std::string& entry, const LaunchConfig& config) {
  CuFunction function = nullptr;
  if (const CuResult result = api.module_function(&function, module, entry.c_str()); result != 0)
    return Error{fmt::format("the compiled kernel has no entry `{}`: {}", entry, api.describe(result))};
  constexpr std::uint32_t without_asking = 48 * 1024;
  if (config.dynamic_shared_bytes <= without_asking) return function;
  const CuResult result = api.function_set(function, function_dynamic_shared, static_cast<int>(config.dynamic_shared_bytes));
  if (result != 0)
    return Error{fmt::format("{} bytes of shared memory cannot be had: {}", config.dynamic_shared_bytes, api.describe(result))};
  return function;
}

CuResult enqueue(const DriverApi& api, CuFunction function, const LaunchConfig& config, const std::vector<void*>& arguments) {
  std::vector<void*> pointers = arguments;
  return api.launch(function, config.grid[0], config.grid[1], config.grid[2], config.threads, 1, 1, config.dynamic_shared_bytes,
                    nullptr, pointers.data(), nullptr);
}

}  // namespace

Result<void> Device::launch(Module& module, const std::string& entry, const LaunchConfig& config,
                            const std::vector<void*>& arguments) {
  const Result<CuFunction> function = function_of(*state_->api, static_cast<CuModule>(module.handle_), entry, config);
  if (!function) return function.error();
  return state_->check(enqueue(*state_->api, *function, config, arguments), "launching the kernel");
}

Result<void> Device::synchronise() { return state_->check(state_->api->context_synchronise(), "running the kernel"); }

namespace {

// Until it has passed. Short kernels are waited for without sleeping.
CuResult wait_for(Event& event, const TimeOptions& options, bool& late) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (;;) {
    const CuResult result = event.query();
    if (result != not_ready) return result;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool stopped = options.stop_when != nullptr && __atomic_load_n(options.stop_when, __ATOMIC_ACQUIRE) != 0;
    late = options.seconds > 0 && seconds > options.seconds;
    if (late || stopped) return not_ready;
    if (seconds > 2e-3) std::this_thread::sleep_for(std::chrono::microseconds(seconds > 1 ? 2000 : 100));
  }
}

}  // namespace

Result<std::vector<float>> Device::time(Module& module, const std::string& entry, const LaunchConfig& config,
                                        const std::vector<void*>& arguments, const TimeOptions& options) {
  const DriverApi& api = *state_->api;
  const Result<CuFunction> function = function_of(api, static_cast<CuModule>(module.handle_), entry, config);
  if (!function) return function.error();
  Event start(api), stop(api);
  CuResult result = start.create();
  if (result == 0) result = stop.create();
  if (result != 0) return Error{fmt::format("timing the kernel failed: {}", api.describe(result))};
  std::vector<float> times;
  for (int i = 0; i < options.repeats; ++i) {
    float milliseconds = 0;
    bool late = false;
    result = start.record();
    if (result == 0) result = enqueue(api, *function, config, arguments);
    if (result != 0) return Error{explain_launch(api, result, config.threads, config.dynamic_shared_bytes)};
    result = stop.record();
    if (result == 0) result = wait_for(stop, options, late);
    if (late) return Error{too_long(options.seconds)};
    if (result == 0) result = stop.since(start, milliseconds);
    if (result != 0) return Error{explain_run(api, result)};
    times.push_back(milliseconds);
  }
  return times;
}

HostBuffer::~HostBuffer() { api_->host_free(host_); }
Buffer::~Buffer() { api_->memory_free(address_); }
Module::~Module() { api_->module_unload(static_cast<CuModule>(handle_)); }

}  // namespace phobos::device
