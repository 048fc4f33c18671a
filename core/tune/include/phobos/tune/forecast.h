// What a kernel's IR says of how long it will take, before any code is made of it: a thousandth of the work.
#pragma once

#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/launch/run_line.h>
#include <phobos/passes/chip.h>
#include <phobos/support/result.h>
#include <phobos/tune/estimate.h>

namespace phobos::tune {

// Fails where no multiprocessor could hold a CTA of it.
Result<Load> forecast(const ir::Kernel& kernel, const passes::Chip& chip, const std::vector<std::int64_t>& dimensions, const launch::Grid& grid, int multiprocessors);

}  // namespace phobos::tune
