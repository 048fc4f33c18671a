// IR to IR. One pass a file; pipeline.cpp has the ordered, argued list.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <phobos/ir/ir.h>

namespace phobos::passes {

struct Pass {
  std::string_view name;  // as in --after=<name>
  void (*run)(ir::Kernel&);
};

// The passes that come before code generation, in order.
std::span<const Pass> pipeline();

// Runs the pipeline, up to and with the pass of that name where one is given (false: there is no such pass). In debug builds the
// verifier runs after each pass.
bool run_pipeline(ir::Kernel& kernel, std::string_view after = {});

void fold_constants(ir::Kernel& kernel);  // operations on constants, and identities that hold for all values
void remove_dead(ir::Kernel& kernel);     // operations without effect whose results nobody reads
void forward_common(ir::Kernel& kernel);  // the same pure operation twice in a region: once

}  // namespace phobos::passes
