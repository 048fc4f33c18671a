// The chips that are compiled for: what each can do, and what a multiprocessor of it has room for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace phobos::passes {

// The limits are those of the CUDA C++ Programming Guide, "Compute Capabilities", its table of technical specifications; the
// granules in which registers and shared memory are given out are the CUDA occupancy calculator's.
struct Chip {
  std::string_view name;      // sm_80
  int capability;             // 80 for 8.0
  std::string_view features;  // for LLVM: the version of PTX
  int warps, ctas;            // that a multiprocessor keeps at once
  int shared;                 // bytes of a multiprocessor
  int shared_of_cta;          // bytes that a CTA may ask for
  int shared_reserved;        // bytes that the system keeps of each CTA's
  int shared_granule;

  static constexpr int registers = 65536;  // 32 bits each, of a multiprocessor
  static constexpr int register_granule = 256;  // of a warp
  static constexpr int registers_of_thread = 255;

  // What code for older chips has to do in a longer way.
  bool has_redux() const { return capability >= 80; }         // integers of 32 bits folded across a warp by one instruction
  bool has_bf16() const { return capability >= 80; }          // conversions of bf16
  bool has_async_copy() const { return capability >= 80; }    // cp.async
  bool has_tensor_cores() const { return capability >= 80; }  // mma.sync m16n8k16 of f16 and bf16, m16n8k8 of tf32, m16n8k32 of bytes
  bool has_wgmma() const { return name == "sm_90a"; }
};

std::span<const Chip> chips();
const Chip* find_chip(std::string_view name);
const Chip& chip_named(std::string_view name);  // of an unknown name the oldest
std::string chip_names();  // `sm_75, sm_80, … and sm_100`

struct Occupancy {
  int ctas = 0;   // of a multiprocessor at once; 0: not even one fits
  int warps = 0;
  double share = 0;        // of the warps that it could keep
  std::string_view limit;  // what keeps more out: threads, ctas, registers, shared
};
// `registers` of a thread; `shared_bytes` static and dynamic together.
Occupancy occupancy(const Chip& chip, int threads, int registers, std::int64_t shared_bytes);

}  // namespace phobos::passes
