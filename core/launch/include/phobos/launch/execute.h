// Runs a lowered kernel, on the simulator or on a GPU, with arguments that have been bound and a grid.
#pragma once

#include <string>
#include <vector>

#include <phobos/device/worker.h>
#include <phobos/diag/diagnostic.h>
#include <phobos/launch/bind.h>
#include <phobos/launch/printed.h>
#include <phobos/nvptx/nvptx.h>
#include <phobos/sim/simulator.h>

namespace phobos::launch {

struct Execution {
  bool finished = true;                    // false: stopped, or an error was found
  double milliseconds = 0;                 // on a GPU between two events around the launch; on the simulator by the wall clock
  std::vector<diag::Diagnostic> findings;  // of the simulator; spans absolute in the file
  std::int64_t finding_cta = -1;           // whose they are; -1: of several, or of none
  Printout printed;
  std::int64_t ctas_done = 0;              // on the simulator
};

// Whether the simulator has the memory for a launch: for tensors of so many bytes in sum, and for the CTAs that have to be live.
Result<void> check_simulator(const ir::Kernel& kernel, double bytes, const Grid& grid, const sim::Options& options);
// The launch has been checked. The written tensors of `bound` hold the results.
Execution run_on_simulator(const ir::Kernel& kernel, Bound& bound, const Grid& grid, const sim::Options& options);

// The passes and code generation.
// The kernel as bulk copies would be planned for it; where there is no such entry, its plan says why.
nvptx::BulkKernel bulk_kernel(const ir::Kernel& kernel, const passes::Chip& chip);
nvptx::Outcome compile(const ir::Kernel& kernel, const nvptx::Options& options);
nvptx::Outcome compile_to_llvm(const ir::Kernel& kernel, const nvptx::Options& options);  // the module before code generation

struct GpuOptions {
  double seconds = 0;    // that a launch may take; 0: as long as it does
  bool checked = false;  // `compiled` is of a checked kernel
  std::size_t most_prints = 1000;  // lines of `print` that are kept
};
// Which of the kernel's entries such a launch takes.
const std::string& entry_of(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const Bound& bound, const Grid& grid);
// `compiled` is PTX of the kernel, as `compiled_as` made it. Errors of the driver, the loader (with its log), the launch and the run, explained; what a checked
// kernel found is a finding.
Result<Execution> run_on_gpu(device::Worker& gpu, const ir::Kernel& kernel, const nvptx::Compiled& compiled,
                             const nvptx::Options& compiled_as, Bound& bound, const Grid& grid, const GpuOptions& options);

// Milliseconds of each of `repeats` launches after a warm-up. `bound` is left as it is.
Result<std::vector<double>> bench_on_gpu(device::Worker& gpu, const ir::Kernel& kernel, const nvptx::Compiled& compiled,
                                         const Bound& bound, const Grid& grid, int repeats, const GpuOptions& options);
Result<std::vector<double>> bench_on_simulator(const ir::Kernel& kernel, const Bound& bound, const Grid& grid, int repeats,
                                               const sim::Options& options);

}  // namespace phobos::launch
