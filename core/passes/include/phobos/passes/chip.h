// What the passes and the code generator need to know of a chip. Figures from the CUDA C++ Programming Guide, "Compute Capabilities",
// table of technical specifications.
#pragma once

#include <cstdint>
#include <string>

namespace phobos::passes {

struct Chip {
  std::string name = "sm_90a";
  int generation = 90;
  std::int64_t shared_limit = 227 * 1024;  // bytes a CTA may have, with the opt-in
  std::int64_t shared_total = 228 * 1024;  // bytes of a multiprocessor, 1 KB of each CTA taken by the system

  bool tensor_cores() const { return generation >= 80; }  // m16n8k16 of f16 and bf16, m16n8k8 of tf32, m16n8k32 of bytes
  bool async_copies() const { return generation >= 80; }  // cp.async
};

// Of a name like `sm_90a`. What is not known of a chip is as of the least that has its generation.
Chip chip_named(const std::string& name);

}  // namespace phobos::passes
