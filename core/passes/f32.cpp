// Of a loop over contractions of f32: whether groups multiply them, as tf32 or in three products of that.
#include <algorithm>

#include <fmt/format.h>

#include <phobos/passes/facts.h>

#include "bulk_planner.h"

namespace phobos::passes {

namespace {

constexpr std::int64_t least_products = 128, most_threads = 384;

}  // namespace

// Each product by three of tf32 has an error of its own, those of multiply-adds are of the sums and grow.
bool BulkPlanner::is_short() const {
  const Facts facts(kernel_);
  const std::vector<ir::ValueId>& bounds = kernel_[plan_.loop].operands;
  const Fact &begin = facts.of(bounds[0]), &end = facts.of(bounds[1]);
  return end.most != Fact::no_most && begin.least >= 0 && end.most - begin.least < least_products;
}

std::string BulkPlanner::look_at_sum_of_f32() {
  if (std::string why = why_not_groups_of_f32(kernel_, kernel_[plan_.dot], chip_); !why.empty()) return why;
  if (kernel_.threads > most_threads) return fmt::format("the CTA has {} threads, which leaves none for the copies' role", kernel_.threads);
  ir::Op by_groups = kernel_[plan_.dot];
  by_groups.immediate |= dot_by_groups;
  const Contraction how = choose_contraction(kernel_, by_groups, chip_);
  const bool all = how.products == 3;
  if (all && is_short()) return fmt::format("sums of less than {} products of f32 are more exact by multiply-adds", least_products);
  BulkPlan::Ring& ring = plan_.rings[0];
  for (BulkPlan::Operand& operand : ring.operands)
    if (std::string why = look_at_operand(how, operand); !why.empty()) return why;
  if (all) ring.low_bytes = ring.operands[0].bytes;
  // Three products are summed beside what the turns before gave, and both parts of the operand in registers are there.
  const std::int64_t sums = how.m * how.n / kernel_.threads * (all ? 2 : 1);
  const std::int64_t words = how.swapped() ? std::min(how.k, piece_of_swapped) * how.n / kernel_.threads * (all ? 2 : 1) : 0;
  if (std::string why = look_at_registers(how.swapped() ? how.m : how.n, sums + words, of_addresses); !why.empty()) return why;
  kernel_[plan_.dot].immediate |= dot_by_groups;
  return {};
}

}  // namespace phobos::passes
