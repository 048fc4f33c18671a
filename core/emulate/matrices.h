// What the tensor cores and `ldmatrix` do, for the 32 lanes of a warp at once. Which lane holds what: PTX ISA, "Matrix Fragments for
// mma.m16n8k16", "... mma.m16n8k32" and "ldmatrix".
#pragma once

#include <array>
#include <cstdint>

#include "machine.h"

namespace phobos::emulate {

template <class Word>
using Lanes = std::array<Word*, 32>;

// The number of 8 x 8 matrices that a load reads; 0 for what is no load.
constexpr std::uint32_t matrices_of(MatrixOp op) {
  return op == MatrixOp::Load2 || op == MatrixOp::Load2Turned ? 2 : op == MatrixOp::Load4 || op == MatrixOp::Load4Turned ? 4 : 0;
}

// Products are summed one after the other along k, each rounded as a fused multiply-add is: the order of the simulator, and at least
// as exact as the hardware's.
void run_matrices(MatrixOp op, const Lanes<const std::uint32_t>& in, const Lanes<std::uint32_t>& out);

}  // namespace phobos::emulate
