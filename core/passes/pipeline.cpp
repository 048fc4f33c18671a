#include <phobos/passes/passes.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <phobos/ir/text.h>

namespace phobos::passes {
namespace {

// The order, and why:
constexpr std::array<Pass, 4> passes{{
    // First, since it makes operations alike that were written differently, and leaves behind what nobody reads.
    {"fold_constants", fold_constants},
    // Then equal operations are one; what read the others now reads that.
    {"forward_common", forward_common},
    // Sweeps up after both.
    {"remove_dead", remove_dead},
    // Last: it turns tiles that are only multiplied into memory, about which the others know nothing.
    {"stage_operands", stage_operands},
}};

#ifndef NDEBUG
void hold_to_account(const ir::Kernel& kernel, std::string_view pass) {
  const auto faults = ir::verify(kernel);
  if (faults.empty()) return;
  std::fprintf(stderr, "after %.*s, kernel %s:\n", static_cast<int>(pass.size()), pass.data(), kernel.name.c_str());
  for (const std::string& fault : faults) std::fprintf(stderr, "  %s\n", fault.c_str());
  std::abort();
}
#else
void hold_to_account(const ir::Kernel&, std::string_view) {}
#endif

}  // namespace

std::span<const Pass> pipeline() { return passes; }

bool run_pipeline(ir::Kernel& kernel, const Chip& chip, std::string_view after) {
  const auto named = [&](const Pass& pass) { return pass.name == after; };
  if (!after.empty() && std::none_of(passes.begin(), passes.end(), named)) return false;
  for (const Pass& pass : passes) {
    pass.run(kernel, chip);
    hold_to_account(kernel, pass.name);
    if (pass.name == after) break;
  }
  return true;
}

}  // namespace phobos::passes
