// How long a launch may take, by a model of the chip: for an order in which to look at variants, for leaving out those that are far
// behind, and for choosing one where nothing was measured. No measurement.
#pragma once

#include <cstdint>

#include <phobos/passes/chip.h>

namespace phobos::tune {

// Which way most of the arithmetic goes.
enum class Path {
  Plain,   // no contraction, or none on tensor cores
  Mma,     // each warp for itself
  Groups,  // wgmma, operands by cp.async
  Bulk,    // wgmma, operands by bulk copies that a warp of its own asks for; one CTA for each multiprocessor, block after block
  Chain,   // the same of two contractions, with what is between them in registers
};

struct Load {
  double operations = 0;      // of the whole grid
  double contractions = 0;    // of those
  double least_bytes = 0;     // of the tensors, each once
  double traffic = 0;         // bytes that the CTAs load and store
  std::int64_t ctas = 0;
  int threads = 256;          // of the program, in a CTA
  passes::Occupancy occupancy;
  int multiprocessors = 132;
  std::int64_t spilled = 0;   // bytes of a thread, as far as they are known or foreseen
  Path path = Path::Plain;
  // Of the largest contraction, where there is one; a turn of its loop has that much of it.
  std::int64_t m = 0, n = 0, k = 0;
  int operand_bytes = 0;      // 0: there is none on tensor cores
  int warps = 0;              // of a CTA that have a share of it, where each works for itself; 0: all
  int products = 1;           // of tf32, for one of f32
  std::int64_t stages = 2;    // of operands, in shared memory
  int teams = 1;              // that take blocks in turn
};

double estimated_milliseconds(const Load& load);

}  // namespace phobos::tune
