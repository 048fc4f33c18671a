// The second entry of a kernel, by roles and bulk copies: whether its arguments allow it, and how it is launched.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <phobos/launch/bind.h>
#include <phobos/launch/grid.h>
#include <phobos/nvptx/nvptx.h>
#include <phobos/passes/bulk.h>

namespace phobos::launch {

// Why a kernel that could have the entry is faster without. Empty: it is not. What was measured (docs/performance.md) is tiles of this size and
// more; with smaller ones several CTAs on a multiprocessor hide each other's waits.
std::string why_not_worth(const ir::Kernel& kernel, const passes::BulkPlan& plan, const passes::Chip& chip);

// Whether that entry may be launched with these arguments. Not where PHOBOS_PLAIN_ENTRY is set.
bool takes_bulk(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const Bound& bound, const Grid& grid);

// CTAs that do the blocks of a grid in rounds, on so many multiprocessors: no more than are needed for the same number of rounds.
std::int64_t resident_ctas(const Grid& grid, std::int64_t multiprocessors);

// Rows and columns of the tensor that a map is of.
std::pair<std::uint64_t, std::uint64_t> mapped_extents(const nvptx::Compiled::Map& map, const Bound& bound);

}  // namespace phobos::launch
