// What the tensor cores and `ldmatrix` do, for the 32 lanes of a warp at once. Which lane holds what: PTX ISA, "Matrix Fragments for
// mma.m16n8k16", "... mma.m16n8k32" and "ldmatrix".
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "machine.h"

namespace phobos::emulate {

template <class Word>
using Lanes = std::array<Word*, 32>;

// The number of 8 x 8 matrices that a load reads; 0 for what is no load.
constexpr std::uint32_t matrices_of(MatrixOp op) {
  return op == MatrixOp::Load2 || op == MatrixOp::Load2Turned ? 2 : op == MatrixOp::Load4 || op == MatrixOp::Load4Turned ? 4 : 0;
}

// Half a unit of the last place that stays is added to the magnitude: ties go away from zero. Infinities and NaN stay.
std::uint32_t round_to_tf32(float x);

// Products are summed one after the other along k, each rounded as a fused multiply-add is: the order of the simulator, and at least
// as exact as the hardware's.
void run_matrices(MatrixOp op, const Lanes<const std::uint32_t>& in, const Lanes<std::uint32_t>& out);

// A matrix in shared memory, as a descriptor says where it lies: PTX ISA, "Matrix Descriptor". Bytes, from the start of shared memory.
struct Described {
  std::uint32_t at = 0, row = 0, between = 0, below = 0;  // a row of a block; from one block of columns to the next; from 8 rows to the next
  static Described of(std::uint64_t descriptor);
};

// The operands of a product by `wgmma` where they lie; the lowest bits of an address say which pieces of a row are exchanged.
// PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout".
class SwizzledOperands {
 public:
  SwizzledOperands(const GroupProduct& product, const std::byte* shared, std::uint64_t a, std::uint64_t b)
      : product_(product), shared_(shared), a_(product.registers ? Described() : Described::of(a)), b_(Described::of(b)) {}

  // What is wrong with how the operands are described; empty: nothing.
  std::string fault() const;
  // What a thread of the 128 has of the sums, 32 bits each: "Register Fragments for wgmma.mma_async", of D. `quad`: where A is in registers,
  // the four words of each lane of the thread's quad.
  void multiply(std::uint32_t thread, const std::uint32_t* quad, void* sums) const;
  std::uint64_t hash() const;  // of all elements
  // Of each operand in shared memory, the bytes that are read lie between these.
  std::uint32_t begin_of_a() const { return a_.at; }
  std::uint32_t begin_of_b() const { return b_.at; }
  std::uint32_t end_of_a() const;
  std::uint32_t end_of_b() const;

 private:
  static constexpr std::uint32_t step = 32, rows = 64;  // bytes along k
  std::uint32_t size() const { return product_.factor == Factor::TF32 ? 4 : product_.factor == Factor::I8 || product_.factor == Factor::U8 ? 1 : 2; }
  std::uint32_t k_extent() const { return step / size(); }
  static std::uint32_t swizzled(std::uint32_t address, std::uint32_t row) { return address ^ ((address >> 7 & (row / 16 - 1)) << 4); }
  std::uint32_t place_a(std::uint32_t row, std::uint32_t k) const;
  std::uint32_t place_b(std::uint32_t k, std::uint32_t column) const;
  std::uint32_t element(std::uint32_t place) const;  // its bits
  std::uint32_t element_of(const std::uint32_t* quad, std::uint32_t below, std::uint32_t k) const;
  template <class Sum, class Value, class Step>
  void multiply(std::uint32_t thread, const std::uint32_t* quad, Sum* sums, Value value, Step add) const;

  const GroupProduct& product_;
  const std::byte* shared_;
  Described a_, b_;
};

}  // namespace phobos::emulate
