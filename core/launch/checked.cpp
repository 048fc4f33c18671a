#include "checked.h"

#include <fmt/format.h>

namespace phobos::launch {

diag::Diagnostic finding_of(std::span<const std::uint64_t> report, const nvptx::Compiled& compiled) {
  if (report.size() < nvptx::report_words || report[0] == 0 || report[0] > compiled.checks.size())
    return diag::make(diag::Code::EmulatedFault, {}, "internal: the kernel stopped, and what it said cannot be read");
  const nvptx::PointCheck& check = compiled.checks[report[0] - 1];
  const auto index = static_cast<std::int64_t>(report[1]);
  return diag::make(diag::Code::OutOfBounds, {check.span, 0}, check.buffer, index < 0 ? "before the start" : "past the end", index, check.axis,
                    report[2], fmt::format("({}, {}, {})", report[4], report[5], report[6]), report[3]);
}

}  // namespace phobos::launch
