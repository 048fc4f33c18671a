// IR to IR. One pass a file; pipeline.cpp has the ordered, argued list.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>

namespace phobos::passes {

struct Pass {
  std::string_view name;  // as in --after=<name>
  void (*run)(ir::Kernel&, const Chip&);
};

// The passes that come before code generation, in order.
std::span<const Pass> pipeline();

// Runs the pipeline, up to and with the pass of that name where one is given (false: there is no such pass). In debug builds the
// verifier runs after each pass.
bool run_pipeline(ir::Kernel& kernel, const Chip& chip, std::string_view after = {});

// Those that need not know the chip do not look at it.
void fold_constants(ir::Kernel& kernel, const Chip& chip);  // operations on constants, and identities that hold for all values
void remove_dead(ir::Kernel& kernel, const Chip& chip);     // operations without effect whose results nobody reads
void forward_common(ir::Kernel& kernel, const Chip& chip);  // the same pure operation twice in a region: once
void stage_operands(ir::Kernel& kernel, const Chip& chip);  // operands of contractions into shared memory, ahead of their use

}  // namespace phobos::passes
