// How many CTAs a launch has (language.md, 14.3).
#pragma once

#include <cstdint>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/launch/run_line.h>

namespace phobos::launch {

// From the kernel's rule and the bound dimensions. An extent of 0 gives a grid of 0 CTAs: there is nothing to do. The error says
// what defeated the inference and how to give the grid.
Result<Grid> infer_grid(const ir::Kernel& kernel, const std::vector<std::int64_t>& dimensions);
// What a run can count: 2^31 - 1 CTAs in all.
Result<void> check_count(const Grid& grid);
// What CUDA takes: 2^31 - 1 along x, 65535 along y and z; and one axis where there is a `grid_barrier`.
Result<void> check_grid(const Grid& grid);
Result<void> check_barrier_grid(const ir::Kernel& kernel, const Grid& grid);

}  // namespace phobos::launch
