// PTX to a cubin, by the toolkit's own assembler.
#pragma once

#include <string>

#include <phobos/support/result.h>

namespace phobos::cli {

// Runs `ptxas` in a temporary folder that is gone afterwards. The error carries what it printed.
Result<std::string> assemble(const std::string& ptxas, const std::string& ptx, const std::string& chip);

}  // namespace phobos::cli
