// One kernel of a file, on its way from text to tile IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <phobos/diag/diagnostic.h>
#include <phobos/ir/ir.h>
#include <phobos/launch/run_line.h>
#include <phobos/lower/lower.h>
#include <phobos/nvptx/nvptx.h>
#include <phobos/support/result.h>

#include "source.h"

namespace phobos::cli {

// Why a command cannot go on: a message, or what is wrong with the source.
struct Stop {
  int exit = 1;
  std::string message;                        // may be empty where there are diagnostics
  std::vector<diag::Diagnostic> diagnostics;  // absolute

  // In one line: the message, or what the first error says; of a warning or a hint nothing stops.
  std::string reason() const;
};

Stop stop_of(const nvptx::Refusal& refusal);

template <class T>
using OrStop = std::variant<T, Stop>;

// The kernel of that name; where it is empty, the only one of the file.
OrStop<const session::ItemView*> choose_kernel(const Source& source, const std::string& name);

struct LoweredKernel {
  ir::Kernel kernel;
  std::vector<launch::Given> arguments;       // without the autotune constants, which are in the kernel
  std::vector<diag::Diagnostic> diagnostics;  // warnings and hints
};
// Analysed with the autotune constants among the arguments, and lowered. Errors of the source are a Stop; names that the kernel
// has not, as well.
OrStop<LoweredKernel> lower_kernel(const Source& source, const session::ItemView& kernel, const std::vector<launch::Given>& arguments,
                                   lower::Purpose purpose = lower::Purpose::Run);

}  // namespace phobos::cli
