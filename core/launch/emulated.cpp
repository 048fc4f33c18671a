#include <phobos/launch/emulated.h>

#include <algorithm>
#include <array>

#include "bulk.h"
#include "checked.h"
#include "run.h"

namespace phobos::launch {

namespace {

constexpr std::int64_t multiprocessors = 3;  // of the machine that CTAs share which do several blocks

// As the entry for bulk copies is launched.
void make_bulk(emulate::Launch& launch, const nvptx::Compiled::Bulk& bulk, const ir::Kernel& kernel, const Bound& bound, const Grid& grid) {
  launch.grid = {resident_ctas(grid, multiprocessors), 1, 1};
  launch.threads = bulk.threads;
  launch.shared_bytes = bulk.dynamic_shared_bytes;
  for (const nvptx::Compiled::Map& map : bulk.maps) {
    const auto [rows, columns] = mapped_extents(map, bound);
    launch.arguments.emplace_back(emulate::TensorMap{map.parameter, rows, columns, static_cast<std::uint32_t>(size_of(kernel.parameters[map.parameter].type.element)),
                                                     static_cast<std::uint32_t>(map.rows), static_cast<std::uint32_t>(map.columns), static_cast<std::uint32_t>(map.swizzle), map.rounds});
  }
  for (const std::int64_t extent : grid) launch.arguments.emplace_back(static_cast<std::uint64_t>(extent));
}

emulate::Launch launch_of(const ir::Kernel& kernel, const nvptx::Compiled& module, Bound& bound, const Grid& grid) {
  emulate::Launch launch;
  launch.grid = grid;
  launch.threads = kernel.threads;
  launch.shared_bytes = module.shared_bytes + module.dynamic_shared_bytes;
  launch.all_live = std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) {
    return op.code == ir::Opcode::GridBarrier || op.code == ir::Opcode::LoadAcquire;
  });
  launch.may_wait = sim::may_wait(kernel);
  for (std::size_t i = 0; i < bound.arguments.size(); ++i) {
    const ir::Parameter& parameter = kernel.parameters[i];
    if (auto* tensor = std::get_if<HostTensor>(&bound.arguments[i])) {
      emulate::Buffer buffer{tensor->data.data(), tensor->data.size(), parameter.name, parameter.written};
      launch.arguments.emplace_back(std::move(buffer));
    } else {
      launch.arguments.emplace_back(scalar_bits(parameter.type.element, bound.arguments[i]));
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
                                  const Grid& grid, const emulate::Options& emulation, std::size_t most_prints) {
  Execution execution;
  if (is_empty(grid)) return execution;
  const auto start = std::chrono::steady_clock::now();
  emulate::Launch launch = launch_of(kernel, module, bound, grid);
  std::array<std::uint64_t, nvptx::report_words> report = {};
  if (options.checked)
    launch.arguments.emplace_back(emulate::Buffer{reinterpret_cast<std::byte*>(report.data()), sizeof report, "the report", true});
  const bool by_bulk = takes_bulk(kernel, module, bound, grid);
  if (by_bulk) make_bulk(launch, *module.bulk, kernel, bound, grid);
  const Result<emulate::Outcome> outcome = emulate::run(module.text, by_bulk ? module.bulk->entry : module.entry, launch, emulation);
  if (!outcome) return outcome.error();
  execution.milliseconds = milliseconds_since(start);
  execution.finished = outcome->finished;
  const std::vector<std::string_view> lines(outcome->printed.begin(), outcome->printed.end());
  execution.printed = read_printed(lines, kernel, options.file, options.source, most_prints);
  execution.printed.left_out += outcome->printed_left_out;
  if (report[0] != 0) {
    execution.findings.push_back(finding_of(report, module));
    return execution;
  }
  for (const emulate::Fault& fault : outcome->faults)
    execution.findings.push_back(diag::make(diag::Code::EmulatedFault, {span_of(fault, options.source), 0}, fault.message));
  return execution;
}

Result<Execution> run_on_emulator(const ir::Kernel& kernel, nvptx::Options options, Bound& bound, const Grid& grid,
                                  const emulate::Options& emulation, std::size_t most_prints) {
  options.debug_locations = !options.source.empty();
  const nvptx::Outcome module = compile_to_llvm(kernel, options);
  if (!module) {
    if (!module.error().diagnostic) return Error{module.message()};
    Execution execution;
    execution.finished = false;
    execution.findings.push_back(*module.error().diagnostic);
    return execution;
  }
  return run_on_emulator(kernel, *module, options, bound, grid, emulation, most_prints);
}

}  // namespace phobos::launch
