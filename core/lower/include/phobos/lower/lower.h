// Checked items to tile IR.
#pragma once

#include <cstdint>
#include <vector>

#include <phobos/ir/ir.h>
#include <phobos/support/result.h>
#include <phobos/uniformity/uniformity.h>

namespace phobos::lower {

// Where an item and the functions that it inlines start in the file, by Location::origin: makes spans absolute.
struct Origins {
  std::vector<std::uint32_t> offsets;
  Span absolute(Location location) const {
    const std::uint32_t base = location.origin < offsets.size() ? offsets[location.origin] : 0;
    return location.span.shifted(base);
  }
};

// A kernel for a trace has a Mark behind each statement, and is otherwise the same.
enum class Purpose { Run, Trace };

// `item` is a kernel without errors of any stage. Fails only on what the language has and lowering has not yet, in words.
Result<ir::Kernel> lower(const sema::CheckedItem& item, const uniformity::Result& kinds, const Origins& origins,
                         Purpose purpose = Purpose::Run);

}  // namespace phobos::lower
