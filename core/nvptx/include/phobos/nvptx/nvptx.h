// Tile IR to LLVM IR to PTX. With core/emulate the only user of LLVM.
#pragma once

#include <cstdint>
#include <string>

#include <phobos/ir/ir.h>
#include <phobos/support/result.h>

namespace phobos::nvptx {

struct Options {
  std::string chip = "sm_90a";  // sm_80, sm_86, sm_89, sm_90, sm_90a
  bool debug_locations = true;  // `.loc` for each source line, when `source` is given
  std::string file;             // of the `.loc` directives
  std::string source;           // the text that spans point into
};

// PTX parameters, in order: one a kernel parameter (a 64-bit pointer for a tensor, the value for a scalar: bool as u8, index as
// s64), then one s64 a dimension, in the kernel's order.
struct Compiled {
  std::string text;                     // PTX, or LLVM IR from emit_llvm
  std::string entry;                    // the name of the kernel's entry
  std::uint32_t shared_bytes = 0;       // static shared memory
  std::uint32_t dynamic_shared_bytes = 0;  // to be passed at launch; past 48 KB it needs the opt-in attribute
};

Result<Compiled> emit_ptx(const ir::Kernel& kernel, const Options& options);
Result<Compiled> emit_llvm(const ir::Kernel& kernel, const Options& options);  // the module before code generation
bool known_chip(const std::string& chip);

}  // namespace phobos::nvptx
