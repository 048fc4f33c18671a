#include <phobos/launch/execute.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <phobos/launch/grid.h>
#include <phobos/passes/passes.h>

#include "run.h"

namespace phobos::launch {
namespace {

sim::Launch sim_launch(Bound& bound, const Grid& grid) {
  sim::Launch launch;
  launch.grid = grid;
  launch.dimensions = bound.dimensions;
  for (Argument& argument : bound.arguments) {
    if (HostTensor* tensor = std::get_if<HostTensor>(&argument)) {
      launch.arguments.push_back(sim::Tensor{tensor->data.data(), tensor->shape});
    } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&argument)) {
      launch.arguments.push_back(*integer);
    } else {
      launch.arguments.push_back(std::get<double>(argument));
    }
  }
  return launch;
}

// A launch's arguments on the card: device copies of the tensors, and the bytes of each PTX parameter.
class DeviceArguments {
 public:
  static Result<DeviceArguments> make(device::Device& device, const ir::Kernel& kernel, const Bound& bound) {
    DeviceArguments made;
    made.cells_.resize(bound.arguments.size() + bound.dimensions.size());
    made.buffers_.resize(bound.arguments.size());
    for (std::size_t p = 0; p < bound.arguments.size(); ++p) {
      if (const HostTensor* tensor = std::get_if<HostTensor>(&bound.arguments[p])) {
        if (Result<void> up = made.upload(device, p, *tensor); !up)
          return Error{fmt::format("`{}`: {}", kernel.parameters[p].name, up.message())};
      } else {
        made.set(p, scalar_bits(kernel.parameters[p].type.element, bound.arguments[p]));
      }
    }
    for (std::size_t d = 0; d < bound.dimensions.size(); ++d) made.set(bound.arguments.size() + d, bound.dimensions[d]);
    return made;
  }

  std::vector<void*> pointers() {
    std::vector<void*> pointers;
    for (Cell& cell : cells_) pointers.push_back(cell.bytes);
    return pointers;
  }

  Result<void> download(device::Device& device, const ir::Kernel& kernel, Bound& bound) {
    for (std::size_t p = 0; p < bound.arguments.size(); ++p) {
      HostTensor* tensor = std::get_if<HostTensor>(&bound.arguments[p]);
      if (tensor == nullptr || !kernel.parameters[p].written || tensor->data.empty()) continue;
      if (Result<void> down = device.download(tensor->data.data(), *buffers_[p], tensor->data.size()); !down) return down;
    }
    return {};
  }

 private:
  struct Cell {
    alignas(8) std::byte bytes[8] = {};
  };

  template <class T>
  void set(std::size_t at, T value) {
    static_assert(sizeof value <= sizeof(Cell));
    std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, cells_[at].bytes);
  }

  Result<void> upload(device::Device& device, std::size_t at, const HostTensor& tensor) {
    // A tensor without elements still has an address.
    Result<std::unique_ptr<device::Buffer>> buffer = device.allocate(std::max<std::size_t>(tensor.data.size(), 16));
    if (!buffer) return buffer.error();
    if (!tensor.data.empty())
      if (Result<void> up = device.upload(**buffer, tensor.data.data(), tensor.data.size()); !up) return up;
    set(at, (*buffer)->address());
    buffers_[at] = std::move(*buffer);
    return {};
  }

  std::vector<Cell> cells_;
  std::vector<std::unique_ptr<device::Buffer>> buffers_;
};

device::LaunchConfig config_of(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const Grid& grid) {
  device::LaunchConfig config;
  for (std::size_t axis = 0; axis < 3; ++axis) config.grid[axis] = static_cast<std::uint32_t>(grid[axis]);
  config.threads = static_cast<std::uint32_t>(kernel.threads);
  config.dynamic_shared_bytes = compiled.dynamic_shared_bytes;
  return config;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
  }
  return lines;
}

}  // namespace

Result<void> check_simulator(const ir::Kernel& kernel, const Bound& bound, const Grid& grid, const sim::Options& options) {
  constexpr std::int64_t most = INT32_MAX;
  std::int64_t ctas = 1;
  for (const std::int64_t extent : grid)
    if (__builtin_mul_overflow(ctas, extent, &ctas) || ctas > most)
      return Error{fmt::format("a grid of {} x {} x {} CTAs is too large: the simulator runs at most {}", grid[0], grid[1], grid[2], most)};
  double bytes = sim::memory_beside_tensors(kernel, ctas, options);
  for (const Argument& argument : bound.arguments)
    if (const HostTensor* tensor = std::get_if<HostTensor>(&argument)) bytes += static_cast<double>(tensor->data.size());
  if (bytes <= machine_memory()) return {};
  return Error{fmt::format("the tensors and the CTAs that have to be live take {} in sum, and this machine has {} of memory",
                           bytes_text(bytes), bytes_text(machine_memory()))};
}

Execution run_on_simulator(const ir::Kernel& kernel, Bound& bound, const Grid& grid, const sim::Options& options) {
  Execution execution;
  if (is_empty(grid)) return execution;
  const sim::Launch launch = sim_launch(bound, grid);
  const auto start = std::chrono::steady_clock::now();
  sim::Outcome outcome = sim::run(kernel, launch, options);
  execution.milliseconds = milliseconds_since(start);
  execution.finished = outcome.finished;
  execution.findings = std::move(outcome.findings);
  execution.printed = {std::move(outcome.prints), outcome.prints_left_out};
  execution.ctas_done = outcome.ctas_done;
  return execution;
}

Result<nvptx::Compiled> compile(const ir::Kernel& kernel, const nvptx::Options& options) {
  ir::Kernel optimised = kernel;
  passes::run_pipeline(optimised, passes::chip_named(options.chip));
  return nvptx::emit_ptx(optimised, options);
}

Result<Execution> run_on_gpu(device::Device& device, const ir::Kernel& kernel, const nvptx::Compiled& compiled,
                             const nvptx::Options& options, Bound& bound, const Grid& grid, std::size_t most_prints) {
  Execution execution;
  if (is_empty(grid)) return execution;
  if (Result<void> fits = check_grid(grid); !fits) return fits.error();
  Result<std::unique_ptr<device::Module>> module = device.load(compiled.text);
  if (!module) return module.error();
  Result<DeviceArguments> arguments = DeviceArguments::make(device, kernel, bound);
  if (!arguments) return arguments.error();
  const std::vector<void*> pointers = arguments->pointers();
  std::optional<Capture> capture;
  if (prints(kernel)) capture.emplace();
  const Result<std::vector<float>> times = device.time(**module, compiled.entry, config_of(kernel, compiled, grid), pointers, 1);
  if (capture) {
    const std::string text = capture->take();
    execution.printed = read_printed(lines_of(text), kernel, options.file, options.source, most_prints);
  }
  if (!times) return times.error();
  if (Result<void> down = arguments->download(device, kernel, bound); !down) return down.error();
  execution.milliseconds = times->empty() ? 0 : static_cast<double>(times->front());
  return execution;
}

Result<std::vector<double>> bench_on_gpu(device::Device& device, const ir::Kernel& kernel, const nvptx::Compiled& compiled,
                                         const Bound& bound, const Grid& grid, int repeats) {
  if (is_empty(grid)) return std::vector<double>();
  if (Result<void> fits = check_grid(grid); !fits) return fits.error();
  Result<std::unique_ptr<device::Module>> module = device.load(compiled.text);
  if (!module) return module.error();
  Result<DeviceArguments> arguments = DeviceArguments::make(device, kernel, bound);
  if (!arguments) return arguments.error();
  const device::LaunchConfig config = config_of(kernel, compiled, grid);
  const std::vector<void*> pointers = arguments->pointers();
  std::optional<Capture> unheard;  // it has been told once
  if (prints(kernel)) unheard.emplace();
  constexpr int warm_up = 3;
  if (const Result<std::vector<float>> warm = device.time(**module, compiled.entry, config, pointers, warm_up); !warm)
    return warm.error();
  const Result<std::vector<float>> times = device.time(**module, compiled.entry, config, pointers, repeats);
  if (!times) return times.error();
  return std::vector<double>(times->begin(), times->end());
}

Result<std::vector<double>> bench_on_simulator(const ir::Kernel& kernel, const Bound& bound, const Grid& grid, int repeats,
                                               const sim::Options& options) {
  Bound scratch = bound;
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    const Execution execution = run_on_simulator(kernel, scratch, grid, options);
    if (!execution.finished) return Error{"the simulator stopped the kernel"};
    if (i != 0) times.push_back(execution.milliseconds);  // the first is the warm-up
  }
  return times;
}

}  // namespace phobos::launch
