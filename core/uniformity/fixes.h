// Repairs of broken rules. Each is offered only where the analysis of the repaired text would no longer find the fault, and
// would find no new one.
#pragma once

#include <vector>

#include "barriers.h"
#include "walk.h"

namespace phobos::uniformity {

// Rule 1: the statement moved out of the `if` whose condition keeps threads from it.
std::vector<diag::Fix> fixes_for_reach(const CheckedItem& item, const Facts& facts, const Op& op);
// Rule 4 where control differs between lanes: what is written `ctx.thread / 32` and is `ctx.warp`, told and mended.
void explain_warp(const CheckedItem& item, diag::Diagnostic& diagnostic);
// Rule 2: one-element slices made point subscripts, and axes named that were left out.
std::vector<diag::Fix> fixes_for_operand(const CheckedItem& item, const Facts& facts, const Op& op);
// Of a scalar's store to `O[i]` that leaves axes out: how many it names.
std::optional<std::size_t> points_of_short_store(const CheckedItem& item, const Op& op);
// Rule 3: a `barrier()` before the statement that reads.
struct BarrierRepair {
  std::vector<EarlyRead> left;   // what reads too early with such a barrier
  std::vector<diag::Fix> fixes;  // none where a barrier cannot stand there
};
BarrierRepair repair_early_read(const CheckedItem& item, const Facts& facts, const EarlyRead& early, const std::stop_token& stop);

}  // namespace phobos::uniformity
