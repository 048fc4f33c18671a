// Powers. In f64 x^y = exp(y log x) magnifies what log x is off by, by up to 700: so the logarithm is a sum of two doubles, and so is its
// product with y. With the argument m 2^k, m in [sqrt(1/2), sqrt(2)), and s = (m - 1) / (m + 1),
//   log x = k log 2 + 2 s (1 + s²/3 + s⁴/5 + …),
// of which all to s²/3 is in two doubles; what is behind it is less than 2^-12 of the whole. Error: about 2 ulp. In f32 a power is
// computed in f64 by the plain logarithm, which is more than exact enough.
#include <bit>
#include <cmath>
#include <limits>

#include <llvm/IR/Intrinsics.h>

#include "math.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

struct Pair {
  Value *high, *low;
};

// Sums and products in two doubles: T. Dekker, "A floating-point technique for extending the available precision", 1971.
struct Twice {
  Builder& b;

  Value* number(double value) const { return llvm::ConstantFP::get(b.getDoubleTy(), value); }
  Value* fma(Value* x, Value* y, Value* z) const { return b.CreateIntrinsic(llvm::Intrinsic::fma, {b.getDoubleTy()}, {x, y, z}); }
  // Of |x| >= |y|.
  Pair sum(Value* x, Value* y) const {
    Value* high = b.CreateFAdd(x, y);
    return {high, b.CreateFSub(y, b.CreateFSub(high, x))};
  }
  Pair product(Value* x, Value* y) const {
    Value* high = b.CreateFMul(x, y);
    return {high, fma(x, y, b.CreateFNeg(high))};
  }
  Pair product(Pair x, Pair y) const {
    Pair made = product(x.high, y.high);
    return sum(made.high, fma(x.high, y.low, fma(x.low, y.high, made.low)));
  }
  Pair product(Pair x, Value* y) const {
    Pair made = product(x.high, y);
    return sum(made.high, fma(x.low, y, made.low));
  }
};

// Of a positive, finite x.
Pair exact_logarithm(Builder& b, Value* x) {
  const Twice r{b};
  llvm::Type* bits = b.getInt64Ty();
  Value* small = b.CreateFCmpOLT(x, r.number(std::numeric_limits<double>::min()));
  Value* normal = b.CreateSelect(small, b.CreateFMul(x, r.number(0x1p54)), x);
  Value* word = b.CreateBitCast(normal, bits);
  Value* exponent = b.CreateAShr(b.CreateSub(word, llvm::ConstantInt::get(bits, std::bit_cast<std::uint64_t>(std::sqrt(0.5)))), 52);
  Value* m = b.CreateBitCast(b.CreateSub(word, b.CreateShl(exponent, 52)), b.getDoubleTy());
  Value* k = b.CreateSIToFP(exponent, b.getDoubleTy());
  k = b.CreateSelect(small, b.CreateFSub(k, r.number(54)), k);

  Value* f = b.CreateFSub(m, r.number(1));  // exact, and f + 2 is in two parts
  Value* d = b.CreateFAdd(f, r.number(2));
  Value* d_low = b.CreateFSub(f, b.CreateFSub(d, r.number(2)));
  Value* s = b.CreateFDiv(f, d);
  Value* left = r.fma(b.CreateFNeg(s), d_low, r.fma(b.CreateFNeg(s), d, f));
  const Pair root{s, b.CreateFDiv(left, d)};
  const Pair square = r.product(root, root);
  const double third = 1.0 / 3;
  const Pair first = r.product(square, {r.number(third), r.number(third / 0x1p54)});  // 1/3 is 1.0101…b times 2^-2: its rest is as much 54 bits on
  Value* rest = r.number(2.0 / 25);
  for (int n = 23; n >= 5; n -= 2) rest = r.fma(rest, square.high, r.number(1.0 / n));
  rest = b.CreateFMul(b.CreateFMul(square.high, square.high), rest);
  Pair series = r.sum(first.high, rest);
  series.low = b.CreateFAdd(series.low, first.low);
  const Pair one = r.sum(r.number(1), series.high);
  const Pair whole = r.product(root, {one.high, b.CreateFAdd(one.low, series.low)});
  const Pair of_m{b.CreateFMul(whole.high, r.number(2)), b.CreateFMul(whole.low, r.number(2))};

  const double high = head(ln2, 20);  // times any exponent exact
  const Pair of_k = r.sum(b.CreateFMul(k, r.number(high)), b.CreateFMul(k, r.number(ln2 - high + ln2_rest)));
  Value* scaled = b.CreateFCmpONE(k, r.number(0));  // then it is the larger one
  const Pair sum = r.sum(b.CreateSelect(scaled, of_k.high, of_m.high), b.CreateSelect(scaled, of_m.high, r.number(0)));
  return r.sum(sum.high, b.CreateFAdd(sum.low, b.CreateFAdd(of_m.low, of_k.low)));
}

// |x|^y, in f64. `precise`: to 2 ulp.
Value* power_of_magnitude(Target& target, Builder& b, Value* magnitude, Value* y, bool precise) {
  Value* plain = logarithm(target, b, magnitude);
  if (!precise) return exponential(target, b, b.CreateFMul(y, plain));
  const Twice r{b};
  const Pair logarithm = exact_logarithm(b, magnitude);
  const Pair product = r.product(logarithm, y);
  Value* size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, product.high);
  Value* finite = b.CreateAnd(b.CreateFCmpOGT(magnitude, r.number(0)), b.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(b.getDoubleTy())));
  Value* usual = b.CreateAnd(finite, b.CreateFCmpOLT(size, r.number(800)));
  Value* grown = exponential(target, b, b.CreateSelect(usual, product.high, b.CreateFMul(y, plain)));
  return b.CreateSelect(usual, r.fma(grown, product.low, grown), grown);
}

}  // namespace

Value* power(Target& target, Builder& builder, Value* x, Value* y) {
  const bool wide = x->getType()->isDoubleTy();
  llvm::Type* type = builder.getDoubleTy();
  if (!wide) x = builder.CreateFPExt(x, type), y = builder.CreateFPExt(y, type);
  Value* result = target.call(wide ? "pow.f64" : "pow.f32", type, {x, y}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    Value* y = function.getArg(1);
    const Twice r{b};
    Value* infinity = llvm::ConstantFP::getInfinity(type);
    Value* one = r.number(1);
    Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Target inner(*function.getParent(), b, target.chip());
    Value* value = power_of_magnitude(inner, b, magnitude, y, wide);
    Value* unit = b.CreateFCmpOEQ(magnitude, one);  // to any power, infinity too
    value = b.CreateSelect(b.CreateAnd(unit, b.CreateFCmpORD(y, y)), one, value);
    const auto whole = [&](Value* v) { return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, v), v); };
    Value* integral = whole(y);
    Value* odd = b.CreateAnd(integral, b.CreateNot(whole(b.CreateFMul(y, r.number(0.5)))));
    Value* negative = b.CreateICmpSLT(b.CreateBitCast(x, b.getInt64Ty()), b.getInt64(0));
    value = b.CreateSelect(b.CreateAnd(negative, odd), b.CreateFNeg(value), value);
    Value* finite_negative = b.CreateAnd(b.CreateFCmpOLT(x, r.number(0)), b.CreateFCmpOLT(magnitude, infinity));
    value = b.CreateSelect(b.CreateAnd(finite_negative, b.CreateNot(integral)), llvm::ConstantFP::getNaN(type), value);
    return b.CreateSelect(b.CreateOr(b.CreateFCmpOEQ(x, one), b.CreateFCmpOEQ(y, r.number(0))), one, value);
  }, false);
  return wide ? result : builder.CreateFPTrunc(result, builder.getFloatTy());
}

}  // namespace phobos::nvptx
