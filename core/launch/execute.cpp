#include <phobos/launch/execute.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <phobos/launch/grid.h>
#include <phobos/passes/passes.h>

#include "bulk.h"
#include "checked.h"
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

Result<void> check_simulator(const ir::Kernel& kernel, double bytes, const Grid& grid, const sim::Options& options) {
  bytes += sim::memory_beside_tensors(kernel, grid[0] * grid[1] * grid[2], options);
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
  execution.finding_cta = outcome.finding_cta;
  execution.printed = {std::move(outcome.prints), outcome.prints_left_out};
  execution.ctas_done = outcome.ctas_done;
  return execution;
}

namespace {

void tell_why_not(ir::Kernel& kernel, const nvptx::BulkKernel& bulk) {
  const std::string& why = bulk.plan.why_not;
  if (bulk.plan.loop.valid()) {
    kernel.decisions.push_back({ir::Decision::Kind::Loop, bulk.kernel[bulk.plan.loop].span, "loop over contractions", "no entry for bulk copies", why, false, false});
    return;
  }
  const auto by_groups = [&](ir::OpId id) { return kernel[id].code == ir::Opcode::Dot && (kernel[id].immediate & passes::dot_by_groups) != 0; };
  for (const ir::Op& op : kernel.ops)
    if (op.code == ir::Opcode::For && std::any_of(kernel[op.regions[0]].ops.begin(), kernel[op.regions[0]].ops.end(), by_groups))
      kernel.decisions.push_back({ir::Decision::Kind::Loop, op.span, "loop over contractions", "no entry for bulk copies", why, false, false});
}

// How much a kernel takes to exchange tiles is known only when it has been emitted. Where that is too much beside operands that are copied
// ahead, it is done again with half the room for those, and then with none.
nvptx::Outcome compile_by(const ir::Kernel& kernel, const nvptx::Options& options, nvptx::Outcome (*emit)(const ir::Kernel&, const nvptx::Options&, const nvptx::BulkKernel*)) {
  passes::Chip chip = passes::chip_named(options.chip);
  const int half = chip.shared_of_cta / 2;
  const nvptx::BulkKernel bulk = bulk_kernel(kernel, chip);
  while (true) {
    ir::Kernel optimised = kernel;
    passes::run_pipeline(optimised, chip);
    if (!bulk.plan.why_not.empty()) tell_why_not(optimised, bulk);
    nvptx::Outcome compiled = emit(optimised, options, bulk.plan.why_not.empty() ? &bulk : nullptr);
    const bool ahead = std::any_of(optimised.ops.begin(), optimised.ops.end(), [](const ir::Op& op) { return op.code == ir::Opcode::AsyncLoad; });
    const bool full = !compiled && compiled.error().diagnostic && compiled.error().diagnostic->code == diag::Code::SharedTooLarge;
    if (!full || !ahead || kernel.pipeline) return compiled;
    chip.shared_of_cta = chip.shared_of_cta > half ? half : 0;
  }
}

}  // namespace

nvptx::BulkKernel bulk_kernel(const ir::Kernel& kernel, const passes::Chip& chip) {
  nvptx::BulkKernel bulk{kernel, {}};
  passes::run_pipeline(bulk.kernel, chip, "remove_dead");
  bulk.plan = passes::plan_bulk_copies(bulk.kernel, chip);
  if (bulk.plan.why_not.empty()) bulk.plan.why_not = why_not_worth(bulk.kernel, bulk.plan, chip);
  return bulk;
}

nvptx::Outcome compile(const ir::Kernel& kernel, const nvptx::Options& options) { return compile_by(kernel, options, nvptx::emit_ptx); }

nvptx::Outcome compile_to_llvm(const ir::Kernel& kernel, const nvptx::Options& options) {
  return compile_by(kernel, options, nvptx::emit_llvm);
}

namespace {

// The launch as the process that has the GPU is told of it. `bound` is written to where the job reads back.
device::Job job_of(const device::Info& gpu, const ir::Kernel& kernel, const nvptx::Compiled& compiled, Bound& bound, const Grid& grid, const GpuOptions& options) {
  device::Job job;
  job.image = compiled.text;
  job.entry = compiled.entry;
  job.config = config_of(kernel, compiled, grid);
  for (std::size_t p = 0; p < bound.arguments.size(); ++p) {
    device::JobArgument argument;
    if (HostTensor* tensor = std::get_if<HostTensor>(&bound.arguments[p])) {
      argument.buffer = true;
      argument.data = tensor->data.data();
      argument.bytes = tensor->data.size();
      argument.written = kernel.parameters[p].written;
    } else {
      argument.bits = scalar_bits(kernel.parameters[p].type.element, bound.arguments[p]);
    }
    job.arguments.push_back(argument);
  }
  for (const std::int64_t dimension : bound.dimensions) {
    device::JobArgument argument;
    argument.bits = static_cast<std::uint64_t>(dimension);
    job.arguments.push_back(argument);
  }
  if (takes_bulk(kernel, compiled, bound, grid)) {
    const nvptx::Compiled::Bulk& bulk = *compiled.bulk;
    job.entry = bulk.entry;
    job.config.grid = {static_cast<std::uint32_t>(resident_ctas(grid, gpu.multiprocessors)), 1, 1};
    job.config.threads = static_cast<std::uint32_t>(bulk.threads);
    job.config.dynamic_shared_bytes = bulk.dynamic_shared_bytes;
    for (const nvptx::Compiled::Map& map : bulk.maps) {
      device::JobArgument argument;
      argument.map = true;
      argument.bits = map.parameter;
      const auto [rows, columns] = mapped_extents(map, bound);
      argument.tensor = {0, rows, columns, static_cast<std::uint32_t>(size_of(kernel.parameters[map.parameter].type.element)),
                         static_cast<std::uint32_t>(map.rows), static_cast<std::uint32_t>(map.columns), static_cast<std::uint32_t>(map.swizzle), map.rounds};
      job.arguments.push_back(argument);
    }
    for (const std::int64_t extent : grid) {
      device::JobArgument argument;
      argument.bits = static_cast<std::uint64_t>(extent);
      job.arguments.push_back(argument);
    }
  }
  job.seconds = options.seconds;
  if (options.checked) job.report_words = nvptx::report_words;
  return job;
}

}  // namespace

const std::string& entry_of(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const Bound& bound, const Grid& grid) {
  return takes_bulk(kernel, compiled, bound, grid) ? compiled.bulk->entry : compiled.entry;
}

Result<Execution> run_on_gpu(device::Worker& gpu, const ir::Kernel& kernel, const nvptx::Compiled& compiled, const nvptx::Options& compiled_as,
                             Bound& bound, const Grid& grid, const GpuOptions& options) {
  Execution execution;
  if (is_empty(grid)) return execution;
  if (Result<void> fits = check_grid(grid); !fits) return fits.error();
  std::optional<Capture> capture;  // of what is printed in this process
  if (prints(kernel)) capture.emplace();
  Result<device::JobOutcome> outcome = gpu.run(job_of(gpu.info(), kernel, compiled, bound, grid, options));
  const std::string text = (capture ? capture->take() : std::string()) + (outcome ? outcome->printed : std::string());
  if (!outcome) return outcome.error();
  execution.printed = read_printed(lines_of(text), kernel, compiled_as.file, compiled_as.source, options.most_prints);
  if (outcome->reported) {
    execution.finished = false;
    execution.findings.push_back(finding_of(outcome->report, compiled));
    return execution;
  }
  if (!outcome->failure.empty()) return Error{outcome->failure};
  execution.milliseconds = outcome->milliseconds.empty() ? 0 : static_cast<double>(outcome->milliseconds.front());
  return execution;
}

Result<std::vector<double>> bench_on_gpu(device::Worker& gpu, const ir::Kernel& kernel, const nvptx::Compiled& compiled,
                                         const Bound& bound, const Grid& grid, int repeats, const GpuOptions& options) {
  if (is_empty(grid)) return std::vector<double>();
  if (Result<void> fits = check_grid(grid); !fits) return fits.error();
  device::Job job = job_of(gpu.info(), kernel, compiled, const_cast<Bound&>(bound), grid, options);  // of which nothing is read back:
  for (device::JobArgument& argument : job.arguments) argument.written = false;
  job.warm_up = 3;
  job.repeats = repeats;
  std::optional<Capture> unheard;  // it has been told once
  if (prints(kernel)) unheard.emplace();
  const Result<device::JobOutcome> outcome = gpu.run(job);
  if (!outcome) return outcome.error();
  if (!outcome->failure.empty()) return Error{outcome->failure};
  return std::vector<double>(outcome->milliseconds.begin(), outcome->milliseconds.end());
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
