// Elementwise arithmetic on LLVM scalars as the language defines it, and the functions of f32 and f64 that neither LLVM nor the
// machine has to the precision asked for.
#pragma once

#include <bit>
#include <cmath>

#include "target.h"

namespace phobos::nvptx {

llvm::Type* type_of(llvm::LLVMContext& context, ScalarType type);    // of a value: bool is i1
llvm::Type* memory_type(llvm::LLVMContext& context, ScalarType type);  // in memory: bool is i8
llvm::Constant* constant(llvm::LLVMContext& context, ScalarType type, std::int64_t integer, double real);

class Math {
 public:
  Math(Target& target, Builder& builder) : target_(target), b_(builder) {}

  // `type` is the operands' element type, `result` the result's; Select's first operand is an i1.
  llvm::Value* elementwise(ir::Opcode code, ScalarType type, ScalarType result, llvm::ArrayRef<llvm::Value*> operands);
  llvm::Value* convert(llvm::Value* value, ScalarType from, ScalarType to);

  // Folds are kept wider than f16 and bf16 and rounded once.
  static ScalarType fold_type(ScalarType type);
  llvm::Value* fold(ir::FoldOp fold, ScalarType type, llvm::Value* a, llvm::Value* b);
  llvm::Value* identity(ir::FoldOp fold, ScalarType type);
  // Across the lanes of a warp, in groups of `lanes`, a power of two, each so many lanes `apart` from the next.
  llvm::Value* fold_lanes(ir::FoldOp fold, ScalarType type, llvm::Value* value, int lanes, int apart = 1);

 private:
  llvm::Value* integer(ir::Opcode code, ScalarType type, llvm::ArrayRef<llvm::Value*> operands);
  llvm::Value* floating(ir::Opcode code, llvm::ArrayRef<llvm::Value*> operands);
  llvm::Value* compare(ir::Opcode code, ScalarType type, llvm::Value* a, llvm::Value* b);
  llvm::Value* narrow_to_odd(llvm::Value* value);   // an f64
  llvm::Value* integer_to_odd(llvm::Value* value);  // one with a sign
  llvm::Value* quotient(ir::Opcode code, ScalarType type, llvm::Value* a, llvm::Value* b);

  Target& target_;
  Builder& b_;
};

// Of an angle: what is left of it in [-pi/4, pi/4] or a little more, and the quadrant that was taken off, i32, modulo 4.
struct Reduced {
  llvm::Value *rest, *quadrant;
};
Reduced reduce_exactly(Builder& builder, llvm::Value* x);  // reduction.cpp; of a double of at least 1; NaN of infinity

// `value` without the lowest bits of a double's mantissa.
inline double head(double value, int cleared) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~((std::uint64_t{1} << cleared) - 1));
}
inline const double ln2 = std::log(2.0);
constexpr double ln2_rest = 2.3190468138462996e-17;  // ln 2 less the double nearest to it

// functions.cpp; x is f32 or f64.
llvm::Value* exponential(Target& target, Builder& builder, llvm::Value* x);
llvm::Value* logarithm(Target& target, Builder& builder, llvm::Value* x);
llvm::Value* sine(Target& target, Builder& builder, llvm::Value* x, bool cosine);
llvm::Value* hyperbolic_tangent(Target& target, Builder& builder, llvm::Value* x);
llvm::Value* remainder(Target& target, Builder& builder, llvm::Value* x, llvm::Value* y);
llvm::Value* power(Target& target, Builder& builder, llvm::Value* x, llvm::Value* y);

}  // namespace phobos::nvptx
