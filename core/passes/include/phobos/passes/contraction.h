// How a contraction is computed, and how the warps of a CTA share it.
#pragma once

#include <cstdint>
#include <string>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>

namespace phobos::passes {

struct Contraction {
  enum class Path {
    Groups, // tensor cores, `wgmma` m64: four warps together, operands swizzled in shared memory
    Mma,   // tensor cores, `mma.sync` m16n8: operands of 16 bits (k16), of 8 (k32), or tf32 (k8)
    Bytes, // four products of bytes at a time, `dp4a`
    Fma,   // one multiply-add after the other
  };
  Path path = Path::Fma;
  std::string reason;        // why none that is faster; empty where there is none
  std::int64_t m = 0, n = 0, k = 0;
  bool transposed = false;   // the second operand is [N, K]
  ScalarType multiplied = ScalarType::F32;  // what the operands are made where they are multiplied; on tensor cores F32 stands for tf32
  int products = 1;          // of tf32, for one of f32: 3 where nothing is to be rounded
  bool on_tensor_cores() const { return path == Path::Groups || path == Path::Mma; }
  std::int64_t mma_step() const { return 32 / size_of(multiplied); }  // of k, in one multiplication of tensor cores
  // Groups compute the transposed result: `wgmma` reads tf32 from shared memory along k only, and its first operand alone may come from
  // registers, with what is computed there of it. So that one is B, which may lie as it wants, and A, along k, is the second.
  bool swapped() const { return path == Path::Groups && multiplied == ScalarType::F32 && (products == 3 || !transposed); }
};

// A matrix in shared memory as `wgmma` reads it: blocks of rows of `row` bytes, 128 where they can be, one block of columns behind the
// other, and of each row the pieces of 16 bytes in an order that changes from row to row, so that those of a column lie in all banks.
struct Swizzle {
  std::int64_t row = 0;  // bytes, 128, 64 or 32; 0: none fits
  std::int64_t mask() const { return row / 16 - 1; }  // of the number of a piece
  std::int64_t period() const { return 128 / row; }   // rows that have the same order
};
// Of a matrix whose rows have so many bytes. `along_k`: each row lies along k.
Swizzle swizzle_for(std::int64_t row_bytes, bool along_k);

// Of k: where groups compute the transposed result, so much of B is in registers at a time; and where they multiply all of f32, so much is
// summed on its own, since tensor cores cut off what they add and the error grows with its number.
constexpr std::int64_t piece_of_swapped = 32;

// The bits of a Dot's immediate.
constexpr std::int64_t dot_transposed = 1, dot_by_groups = 2;

// Why groups of four warps cannot compute a contraction on tensor cores whose operands are both copied ahead by a loop that does
// nothing else. Empty: they can.
std::string why_not_groups(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip);
// The same of f32, whose operands bulk copies bring.
std::string why_not_groups_of_f32(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip);

// Of a Dot. Depends on the types, the extents, the CTA and the chip only.
Contraction choose_contraction(const ir::Kernel& kernel, const ir::Op& dot, const Chip& chip);

// Whether an operand (0 or 1) can be read from shared memory as it lies in the tensor: bytes are multiplied along k only, and single
// multiply-adds want neighbours along n.
bool reads_in_place(const Contraction& contraction, ScalarType element, std::size_t operand);

// How far apart rows of `columns` elements lie in shared memory, so that those who read them at one time meet in no bank.
// `along_k`: each row lies along k.
std::int64_t padded(const Contraction& contraction, ScalarType element, std::int64_t columns, bool along_k);

// Warps along the rows and along the columns of the result, each with the same share; the rest of the CTA, if any, repeats it.
struct WarpGrid {
  std::int64_t rows = 1, columns = 1;
};
// As many warps as can have a share of whole m16n8 blocks. Among those: the squarest share, since that reads least; or, `by_rows`,
// the most rows of warps, so that a row lies within few of them.
WarpGrid warp_grid(std::int64_t m, std::int64_t n, std::int64_t warps, bool by_rows);

}  // namespace phobos::passes
