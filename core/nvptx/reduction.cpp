// The quadrant and the rest of an argument of sin and cos, exactly, however large it is: M. Payne, R. Hanek, "Radian Reduction for
// Trigonometric Functions", SIGNUM 1983. x is m 2^e with a whole m of 53 bits. Of x times 2 / pi all that is wanted is what remains modulo
// 4, so of 2 / pi only the bits from the weight 2^(2 - e) down matter; 192 of them leave 137 behind the point, and of those no double
// cancels more than some 61.
#include <array>
#include <cmath>

#include <llvm/IR/Intrinsics.h>

#include "math.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

// 64 zeros, then 2 / pi from the weight 1/2 on.
constexpr std::array<std::uint64_t, 20> two_over_pi = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u,
    0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
};

llvm::GlobalVariable* table(llvm::Module& module) {
  constexpr const char* name = "phobos_two_over_pi";
  if (llvm::GlobalVariable* known = module.getNamedGlobal(name)) return known;
  llvm::Constant* words = llvm::ConstantDataArray::get(module.getContext(), two_over_pi);
  return new llvm::GlobalVariable(module, words->getType(), true, llvm::GlobalValue::InternalLinkage, words, name, nullptr,
                                  llvm::GlobalValue::NotThreadLocal, space::constant);
}

}  // namespace

Reduced reduce_exactly(Builder& b, Value* x) {
  const auto whole = [&](std::uint64_t value) { return b.getInt64(value); };
  Value* bits = b.CreateBitCast(x, b.getInt64Ty());
  Value* exponent = b.CreateAnd(b.CreateLShr(bits, 52), whole(0x7ff));
  Value* m = b.CreateOr(b.CreateAnd(bits, whole((std::uint64_t{1} << 52) - 1)), whole(std::uint64_t{1} << 52));
  // The first bit that matters, counted from the beginning of the table: e - 2 + 64 with e = exponent - 1075.
  Value* first = b.CreateSub(exponent, whole(1075 + 2 - 64));
  Value* word = b.CreateLShr(first, 6);
  std::array<Value*, 4> words;
  llvm::GlobalVariable* memory = table(*b.GetInsertBlock()->getModule());
  for (unsigned i = 0; i < 4; ++i)
    words[i] = b.CreateAlignedLoad(b.getInt64Ty(), b.CreateGEP(b.getInt64Ty(), memory, b.CreateAdd(word, whole(i))), llvm::Align(8));
  std::array<Value*, 3> window;
  for (unsigned i = 0; i < 3; ++i) window[i] = b.CreateIntrinsic(llvm::Intrinsic::fshl, {b.getInt64Ty()}, {words[i], words[i + 1], first});

  // m times the window, modulo 2^192: two bits of quadrant, then the fraction.
  llvm::Type* wide = b.getInt128Ty();
  const auto times = [&](Value* a) { return b.CreateMul(b.CreateZExt(m, wide), b.CreateZExt(a, wide)); };
  Value* low = b.CreateLShr(times(window[2]), 64);
  Value* middle = b.CreateAdd(times(window[1]), low);
  Value* high = b.CreateAdd(b.CreateMul(m, window[0]), b.CreateTrunc(b.CreateLShr(middle, 64), b.getInt64Ty()));
  Value* next = b.CreateTrunc(middle, b.getInt64Ty());
  Value* quadrant = b.CreateTrunc(b.CreateLShr(high, 62), b.getInt32Ty());
  Value* fraction = b.CreateIntrinsic(llvm::Intrinsic::fshl, {b.getInt64Ty()}, {high, next, whole(2)});
  Value* behind = b.CreateShl(next, 2);

  // From half a quadrant on it is less than none of the next.
  Value* over = b.CreateICmpSLT(fraction, whole(0));
  quadrant = b.CreateAdd(quadrant, b.CreateZExt(over, b.getInt32Ty()));
  Value* mask = b.CreateSExt(over, b.getInt64Ty());
  fraction = b.CreateXor(fraction, mask);
  behind = b.CreateXor(behind, mask);
  Value* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, fraction, b.getFalse());
  Value* leading = b.CreateIntrinsic(llvm::Intrinsic::fshl, {b.getInt64Ty()}, {fraction, behind, zeros});
  Value* scale = b.CreateBitCast(b.CreateShl(b.CreateSub(whole(1023 - 64), zeros), 52), b.getDoubleTy());  // 2^(-64 - zeros)
  Value* rest = b.CreateFMul(b.CreateUIToFP(leading, b.getDoubleTy()), scale);
  rest = b.CreateFMul(rest, llvm::ConstantFP::get(b.getDoubleTy(), std::acos(0.0)));

  Value* negative = b.CreateICmpSLT(bits, whole(0));
  rest = b.CreateSelect(b.CreateXor(over, negative), b.CreateFNeg(rest), rest);
  quadrant = b.CreateSelect(negative, b.CreateNeg(quadrant), quadrant);
  return {b.CreateFAdd(rest, b.CreateFSub(x, x)), quadrant};  // NaN for infinity
}

}  // namespace phobos::nvptx
