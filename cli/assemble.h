// PTX to a cubin, by the toolkit's own assembler.
#pragma once

#include <string>

#include <phobos/support/result.h>

namespace phobos::cli {

struct Assembled {
  std::string cubin;
  std::string log;  // what ptxas said of the kernel's resources
};
// Runs `ptxas` in a temporary folder that is gone afterwards. The error carries what it printed. `entry`: the only one that is wanted; empty: all.
Result<Assembled> assemble(const std::string& ptxas, const std::string& ptx, const std::string& chip, const std::string& entry = {});

}  // namespace phobos::cli
