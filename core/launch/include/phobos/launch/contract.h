// The launch contract: all that somebody else's launcher needs to run the PTX, as JSON (language.md, 14.1).
//
//   {"kernel", "entry", "chip", "threads",
//    "parameters": [{"name", "kind": "tensor" | "scalar", "type", "shape": ["M", 64], "read", "written"}],
//    "dimensions": ["M"], "constants": {"BLOCK": 1024},
//    "ptx_parameters": [{"name", "kind": "pointer" | "scalar" | "dimension", "type"}],   in the order of the PTX
//    "shared_bytes": static, "dynamic_shared_bytes": to be passed at the launch,
//    "promises": [{"dimension", "multiple"}],
//    "grid": [{"extent": "M" | 64, "step": 128}] | null, "grid_reason",
//    "bulk": {"entry", "threads", …} | null}                                              a second entry, which asks more of its arguments
#pragma once

#include <string>

#include <phobos/ir/ir.h>
#include <phobos/nvptx/nvptx.h>

namespace phobos::launch {

std::string contract_json(const ir::Kernel& kernel, const nvptx::Compiled& compiled, const std::string& chip);

}  // namespace phobos::launch
