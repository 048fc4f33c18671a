#include "bulk.h"

#include <algorithm>
#include <cstdlib>
#include <variant>

#include <fmt/format.h>

namespace phobos::launch {

std::pair<std::uint64_t, std::uint64_t> mapped_extents(const nvptx::Compiled::Map& map, const Bound& bound) {
  const std::vector<std::int64_t>& shape = std::get<HostTensor>(bound.arguments[map.parameter]).shape;
  return {static_cast<std::uint64_t>(shape[0]), static_cast<std::uint64_t>(shape[1])};
}

std::string why_not_worth(const ir::Kernel& kernel, const passes::BulkPlan& plan, const passes::Chip& chip) {
  constexpr std::int64_t least_sums = 64 * 128, least_row = 128, least_keys = 64;
  const passes::Contraction how = passes::choose_contraction(kernel, kernel[plan.dot], chip);
  if (plan.is_chain()) return how.k >= least_keys ? "" : fmt::format("a turn of a chain of contractions has {} columns of scores, and from {} on bulk copies are worth their barriers", how.k, least_keys);
  const std::int64_t sums = how.m * how.n / (kernel.threads / 128), row = how.k * size_of(kernel.type(kernel[plan.dot].operands[0]).element);
  if (sums < least_sums) return fmt::format("a group of 128 threads has {} sums, and from {} on bulk copies are worth a CTA that has a multiprocessor alone", sums, least_sums);
  if (row < least_row) return fmt::format("a turn is {} bytes along k, and from {} on bulk copies are worth their barriers", row, least_row);
  return {};
}

bool takes_bulk(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const Bound& bound, const Grid& grid) {
  using Bulk = nvptx::Compiled::Bulk;
  if (!compiled.bulk || std::getenv("PHOBOS_PLAIN_ENTRY") != nullptr || !check_count(grid)) return false;
  return std::all_of(compiled.bulk->maps.begin(), compiled.bulk->maps.end(), [&](const nvptx::Compiled::Map& map) {
    const auto [rows, columns] = mapped_extents(map, bound);
    const std::uint64_t row_bytes = columns * static_cast<std::uint64_t>(size_of(kernel.parameters[map.parameter].type.element));
    return rows > 0 && columns > 0 && rows <= Bulk::largest_extent && columns <= Bulk::largest_extent && row_bytes % Bulk::row_granule == 0;
  });
}

std::int64_t resident_ctas(const Grid& grid, std::int64_t multiprocessors) {
  const std::int64_t blocks = grid[0] * grid[1] * grid[2];
  const std::int64_t most = std::min(blocks, std::max<std::int64_t>(1, multiprocessors));
  const std::int64_t rounds = (blocks + most - 1) / most;
  return (blocks + rounds - 1) / rounds;
}

}  // namespace phobos::launch
