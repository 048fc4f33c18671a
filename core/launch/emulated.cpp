#include <phobos/launch/emulated.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include <phobos/passes/passes.h>
#include <phobos/source/line_map.h>

namespace phobos::launch {

namespace {

std::uint64_t bits_of(ScalarType type, const Argument& argument) {
  HostTensor cell{type, {}, std::vector<std::byte>(static_cast<std::size_t>(size_of(type)))};
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) cell.set_integer(0, *integer);
  else cell.set_real(0, std::get<double>(argument));
  std::uint64_t bits = 0;
  std::memcpy(&bits, cell.data.data(), cell.data.size());
  return bits;
}

emulate::Launch launch_of(const ir::Kernel& kernel, const nvptx::Compiled& module, Bound& bound, const Grid& grid) {
  emulate::Launch launch;
  launch.grid = grid;
  launch.threads = kernel.threads;
  launch.shared_bytes = module.shared_bytes + module.dynamic_shared_bytes;
  launch.all_live = std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) {
    return op.code == ir::Opcode::GridBarrier || op.code == ir::Opcode::LoadAcquire;
  });
  for (std::size_t i = 0; i < bound.arguments.size(); ++i) {
    const ir::Parameter& parameter = kernel.parameters[i];
    if (auto* tensor = std::get_if<HostTensor>(&bound.arguments[i])) {
      emulate::Buffer buffer{tensor->data.data(), tensor->data.size(), parameter.name, parameter.written};
      launch.arguments.emplace_back(std::move(buffer));
    } else {
      launch.arguments.emplace_back(bits_of(parameter.type.element, bound.arguments[i]));
    }
  }
  for (const std::int64_t dimension : bound.dimensions) launch.arguments.emplace_back(static_cast<std::uint64_t>(dimension));
  return launch;
}

Span span_of(const emulate::Fault& fault, const std::string& source) {
  if (fault.line == 0) return {};
  std::size_t begin = 0;
  for (int line = 1; line < fault.line && begin < source.size(); ++line) begin = std::min(source.find('\n', begin), source.size() - 1) + 1;
  begin = std::min(begin + static_cast<std::size_t>(std::max(fault.column - 1, 0)), source.size());
  const std::size_t end = std::min(begin + 1, source.size());
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace

Result<Execution> run_on_emulator(const ir::Kernel& kernel, const nvptx::Compiled& module, const nvptx::Options& options, Bound& bound,
                                  const Grid& grid, const emulate::Options& emulation) {
  Execution execution;
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return execution;
  const auto start = std::chrono::steady_clock::now();
  const Result<emulate::Outcome> outcome = emulate::run(module.text, module.entry, launch_of(kernel, module, bound, grid), emulation);
  if (!outcome) return outcome.error();
  execution.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  execution.finished = outcome->finished;
  for (const emulate::Fault& fault : outcome->faults)
    execution.findings.push_back(diag::make(diag::Code::EmulatedFault, {span_of(fault, options.source), 0}, fault.message));
  return execution;
}

Result<Execution> run_on_emulator(const ir::Kernel& kernel, nvptx::Options options, Bound& bound, const Grid& grid,
                                  const emulate::Options& emulation) {
  ir::Kernel optimised = kernel;
  passes::run_pipeline(optimised);
  options.debug_locations = !options.source.empty();
  const Result<nvptx::Compiled> module = nvptx::emit_llvm(optimised, options);
  if (!module) return module.error();
  return run_on_emulator(kernel, *module, options, bound, grid, emulation);
}

}  // namespace phobos::launch
