// What a checked kernel wrote down when it stopped itself, as the finding that the simulator would have made.
#pragma once

#include <cstdint>
#include <span>

#include <phobos/diag/diagnostic.h>
#include <phobos/nvptx/nvptx.h>

namespace phobos::launch {

// `report`: the words behind the kernel's last parameter. It has been written.
diag::Diagnostic finding_of(std::span<const std::uint64_t> report, const nvptx::Compiled& compiled);

}  // namespace phobos::launch
