// Runs the code that the GPU would run, on the CPU: what core/emulate does, for bound arguments.
#pragma once

#include <phobos/emulate/emulate.h>
#include <phobos/launch/execute.h>

namespace phobos::launch {

// The passes, LLVM IR for `options.chip`, and the run. The written tensors of `bound` hold the results; what would be undefined on
// the card is a finding. An error: the kernel cannot be compiled.
Result<Execution> run_on_emulator(const ir::Kernel& kernel, nvptx::Options options, Bound& bound, const Grid& grid,
                                  const emulate::Options& emulation = {}, std::size_t most_prints = 1000);

// The same for the module's text, as `nvptx::emit_llvm` gives it.
Result<Execution> run_on_emulator(const ir::Kernel& kernel, const nvptx::Compiled& module, const nvptx::Options& options, Bound& bound,
                                  const Grid& grid, const emulate::Options& emulation = {}, std::size_t most_prints = 1000);

}  // namespace phobos::launch
