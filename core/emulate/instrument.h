// Makes a module written for the card one for the host: what it asks of the machine becomes calls of host.cpp's functions, and every
// access to memory is checked before it happens.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "machine.h"

namespace phobos::emulate {

// Adds `void phobos_emulate_entry(const i64* arguments)`, which calls the kernel. An error names what this cannot run.
Result<std::vector<Site>> instrument(llvm::Module& module, const std::string& entry);

inline constexpr const char* entry_name = "phobos_emulate_entry";

}  // namespace phobos::emulate
