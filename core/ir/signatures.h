// What each operation asks of its operands, results and immediate: counts, types and shapes.
#pragma once

#include <string>

#include <phobos/ir/ir.h>

namespace phobos::ir {

// The first thing that is wrong with an operation taken by itself, in words; empty for none. Its ids are in range. Operations
// with regions and terminators are judged by the verifier, which knows where they stand.
std::string signature_fault(const Kernel& kernel, const Op& op);

}  // namespace phobos::ir
