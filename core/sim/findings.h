// How what was found is told.
#pragma once

#include <array>
#include <string>

#include "cta.h"

namespace phobos::sim {

diag::Diagnostic thread_race(Cta& cta, const ThreadRace& race);
// `reader`: the operation; `source`: the tile that was read (ir::ValueId); `thread`: -1 for the CTA as a whole.
diag::Diagnostic unset_read(Cta& cta, std::uint32_t reader, std::uint32_t source, std::int64_t element, int thread);
// A write of the kernel to what a grid barrier counts in.
diag::Diagnostic barrier_tensor_changed(Cta& cta, const Instr& in, std::int64_t element);
diag::Diagnostic divided_by_zero(Cta& cta, std::uint32_t op);  // by the CTA as a whole
diag::Diagnostic grid_race(const Machine& machine, const GridRace& race);

// `t[0, 5]`: an element of a watched buffer.
std::string element_text(const Machine& machine, int buffer, std::int64_t element);
std::string element_text(const std::string& name, std::vector<std::int64_t> extents, std::int64_t element);
std::string block_text(const std::array<std::int64_t, 3>& block);

}  // namespace phobos::sim
