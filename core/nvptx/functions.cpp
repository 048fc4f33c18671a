// Exponentials, logarithms and circular functions, written out: there is no device library to link. All follow one scheme: reduce
// the argument exactly to a small interval (with fused multiply-adds by a constant in parts), sum a Taylor series there (the
// intervals are small enough that nothing better is needed), and undo the reduction. Errors: f32 at most 2 ulp for exp and log,
// 3 ulp for tanh, and about 2^-23 absolute for sin and cos; f64 a few ulp.
#include <cmath>
#include <limits>

#include <llvm/IR/Intrinsics.h>

#include "math.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

// Arithmetic in one real type.
struct Real {
  Builder& b;
  llvm::Type* type;
  bool wide = type->isDoubleTy();

  Value* number(double value) const { return llvm::ConstantFP::get(type, value); }
  Value* fma(Value* x, Value* y, Value* z) const { return b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {x, y, z}); }
  Value* magnitude(Value* x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  Value* nearest(Value* x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x); }
  llvm::IntegerType* bits() const { return wide ? b.getInt64Ty() : b.getInt32Ty(); }
  int mantissa() const { return wide ? 52 : 23; }
  // Of a whole number in range; of NaN any.
  Value* integer(Value* x) const { return b.CreateFreeze(b.CreateFPToSI(x, bits())); }
  // 2^n for n in the range of normal exponents.
  Value* power_of_two(Value* n) const {
    Value* biased = b.CreateAdd(n, llvm::ConstantInt::get(bits(), wide ? 1023 : 127));
    return b.CreateBitCast(b.CreateShl(biased, static_cast<std::uint64_t>(mantissa())), type);
  }
  // c[0] + c[1] x + …
  Value* polynomial(Value* x, const std::vector<double>& c) const {
    Value* sum = number(c.back());
    for (std::size_t i = c.size() - 1; i-- > 0;) sum = fma(sum, x, number(c[i]));
    return sum;
  }
  std::string named(const char* name) const { return std::string(name) + (wide ? ".f64" : ".f32"); }
};

const double log2e = 1 / ln2;

}  // namespace

Value* exponential(Target& target, Builder& builder, Value* x) {
  const Real outer{builder, x->getType()};
  return target.call(outer.named("exp"), x->getType(), {x}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    const Real r{b, x->getType()};
    Value* most = r.number(r.wide ? 710.0 : 89.0);
    Value* least = r.number(r.wide ? -746.0 : -104.0);
    x = b.CreateSelect(b.CreateFCmpOGT(x, most), most, x);
    x = b.CreateSelect(b.CreateFCmpOLT(x, least), least, x);
    Value* n = r.nearest(b.CreateFMul(x, r.number(log2e)));
    const double high = r.wide ? head(ln2, 12) : static_cast<float>(ln2);
    const double low = ln2 - high + (r.wide ? ln2_rest : 0);
    Value* rest = r.fma(n, r.number(-low), r.fma(n, r.number(-high), x));
    Value* value;
    if (r.wide) {
      std::vector<double> series{1};
      for (int i = 1; i <= 13; ++i) series.push_back(series.back() / i);
      value = r.polynomial(rest, series);
    } else {
      Target inner(*function.getParent(), b, target.chip());
      value = inner.exp2_f32(b.CreateFMul(rest, r.number(log2e)));
    }
    Value* exponent = r.integer(n);  // in two halves: the result may be infinite or denormal
    Value* half = b.CreateAShr(exponent, 1);
    value = b.CreateFMul(value, r.power_of_two(half));
    return b.CreateFMul(value, r.power_of_two(b.CreateSub(exponent, half)));
  });
}

// log(2^k m) with m in [sqrt(1/2), sqrt(2)): with f = m - 1 and s = f / (2 + f), log m = 2 atanh s = f - f²/2 + s (f²/2 + R(s²)).
Value* logarithm(Target& target, Builder& builder, Value* x) {
  const Real outer{builder, x->getType()};
  return target.call(outer.named("log"), x->getType(), {x}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    const Real r{b, x->getType()};
    const int shift = r.wide ? 54 : 25;
    Value* small = b.CreateFCmpOLT(x, r.number(r.wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min()));
    Value* normal = b.CreateSelect(small, b.CreateFMul(x, r.number(std::ldexp(1.0, shift))), x);
    Value* bits = b.CreateBitCast(normal, r.bits());
    const std::uint64_t root =
        r.wide ? std::bit_cast<std::uint64_t>(std::sqrt(0.5)) : std::bit_cast<std::uint32_t>(static_cast<float>(std::sqrt(0.5)));
    const auto width = static_cast<std::uint64_t>(r.mantissa());
    Value* exponent = b.CreateAShr(b.CreateSub(bits, llvm::ConstantInt::get(r.bits(), root)), width);
    Value* m = b.CreateBitCast(b.CreateSub(bits, b.CreateShl(exponent, width)), r.type);
    Value* k = b.CreateSIToFP(exponent, r.type);
    k = b.CreateSelect(small, b.CreateFSub(k, r.number(shift)), k);

    Value* f = b.CreateFSub(m, r.number(1));
    Value* denominator = b.CreateFAdd(f, r.number(2));
    Target inner(*function.getParent(), b, target.chip());
    Value* s = r.wide ? b.CreateFDiv(f, denominator) : inner.divide_f32(f, denominator);
    Value* z = b.CreateFMul(s, s);
    std::vector<double> series;
    for (int i = 0; i < (r.wide ? 11 : 6); ++i) series.push_back(2.0 / (2 * i + 3));
    Value* tail = b.CreateFMul(z, r.polynomial(z, series));
    Value* square = b.CreateFMul(b.CreateFMul(f, f), r.number(0.5));
    const double high = r.wide ? head(ln2, 20) : head(ln2, 41);  // times any exponent exact
    const double low = ln2 - high + (r.wide ? ln2_rest : 0);
    Value* correction = r.fma(k, r.number(low), b.CreateFMul(s, b.CreateFAdd(square, tail)));
    Value* value = b.CreateFSub(b.CreateFMul(k, r.number(high)), b.CreateFSub(b.CreateFSub(square, correction), f));

    Value* infinity = llvm::ConstantFP::getInfinity(r.type);
    value = b.CreateSelect(b.CreateFCmpOLT(x, infinity), value, x);  // infinity and NaN
    value = b.CreateSelect(b.CreateFCmpOLT(x, r.number(0)), llvm::ConstantFP::getNaN(r.type), value);
    return b.CreateSelect(b.CreateFCmpOEQ(x, r.number(0)), llvm::ConstantFP::getInfinity(r.type, true), value);
  });
}

namespace {

Reduced reduce_quadrant(const Real& r, Value* x) {
  const double half_pi = std::acos(0.0);
  double parts[3] = {half_pi, 6.123233995736766e-17, -1.4973849048591833e-33};
  if (!r.wide) {
    parts[0] = static_cast<float>(half_pi);
    parts[1] = static_cast<float>(half_pi - parts[0]);
    parts[2] = static_cast<float>(half_pi - parts[0] - parts[1]);
  }
  Value* n = r.nearest(r.b.CreateFMul(x, r.number(1 / half_pi)));
  Value* rest = x;
  for (const double part : parts) rest = r.fma(n, r.number(-part), rest);
  Value* count = r.b.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {r.b.getInt64Ty(), r.type}, {n});
  return {rest, r.b.CreateTrunc(count, r.b.getInt32Ty())};
}

std::vector<double> alternating_series(bool cosine, int terms) {
  std::vector<double> series{1};
  for (int i = 1; i < terms; ++i) series.push_back(-series.back() / (cosine ? (2 * i - 1) * (2 * i) : (2 * i) * (2 * i + 1)));
  return series;
}

}  // namespace

Value* sine(Target& target, Builder& builder, Value* x, bool cosine) {
  const Real outer{builder, x->getType()};
  return target.call(outer.named(cosine ? "cos" : "sin"), x->getType(), {x}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    const Real r{b, x->getType()};
    Reduced reduced = reduce_quadrant(r, x);
    auto* large = llvm::BasicBlock::Create(b.getContext(), "large", &function);
    auto* join = llvm::BasicBlock::Create(b.getContext(), "join", &function);
    auto* from = b.GetInsertBlock();
    b.CreateCondBr(b.CreateFCmpOGT(r.magnitude(x), r.number(r.wide ? 0x1p30 : 65536)), large, join);
    b.SetInsertPoint(large);
    Reduced slow = reduce_exactly(b, r.wide ? x : b.CreateFPExt(x, b.getDoubleTy()));
    slow.rest = b.CreateFPCast(slow.rest, r.type);
    b.CreateBr(join);
    b.SetInsertPoint(join);
    auto* rest = b.CreatePHI(r.type, 2);
    auto* quadrant = b.CreatePHI(b.getInt32Ty(), 2);
    rest->addIncoming(reduced.rest, from);
    rest->addIncoming(slow.rest, large);
    quadrant->addIncoming(reduced.quadrant, from);
    quadrant->addIncoming(slow.quadrant, large);
    reduced = {rest, quadrant};
    Value* square = b.CreateFMul(reduced.rest, reduced.rest);
    Value* sin = b.CreateFMul(reduced.rest, r.polynomial(square, alternating_series(false, r.wide ? 9 : 5)));
    Value* cos = r.polynomial(square, alternating_series(true, r.wide ? 10 : 6));
    if (!cosine) sin = b.CreateSelect(b.CreateFCmpOEQ(reduced.rest, r.number(0)), x, sin);  // -0 too: nothing else is reduced to 0
    Value* turn = cosine ? b.CreateAdd(reduced.quadrant, b.getInt32(1)) : reduced.quadrant;
    Value* value = b.CreateSelect(b.CreateTrunc(turn, b.getInt1Ty()), cos, sin);
    return b.CreateSelect(b.CreateICmpNE(b.CreateAnd(turn, b.getInt32(2)), b.getInt32(0)), b.CreateFNeg(value), value);
  });
}

Value* hyperbolic_tangent(Target& target, Builder& builder, Value* x) {
  const Real outer{builder, x->getType()};
  return target.call(outer.named("tanh"), x->getType(), {x}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    const Real r{b, x->getType()};
    // tanh' = 1 - tanh²: (2n + 1) c[n] = -(c * c)[n - 1], in powers of x².
    std::vector<double> series{1};
    for (int n = 1; n < (r.wide ? 19 : 9); ++n) {
      double product = 0;
      for (int i = 0; i < n; ++i) product += series[static_cast<std::size_t>(i)] * series[static_cast<std::size_t>(n - 1 - i)];
      series.push_back(-product / (2 * n + 1));
    }
    Value* magnitude = r.magnitude(x);
    Value* near = b.CreateFMul(x, r.polynomial(b.CreateFMul(x, x), series));
    Target inner(*function.getParent(), b, target.chip());
    Value* grown = exponential(inner, b, b.CreateFMul(magnitude, r.number(2)));
    Value* far = b.CreateFSub(r.number(1), b.CreateFDiv(r.number(2), b.CreateFAdd(grown, r.number(1))));
    far = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, far, x);
    return b.CreateSelect(b.CreateFCmpOLT(magnitude, r.number(0.55)), near, far);
  });
}

// Subtracts y as often as 49 bits of the quotient say, until less than y is left. Exact for f32, which is computed in f64; in f64 a
// difference may be rounded where the quotient needs more than those bits.
Value* remainder(Target& target, Builder& builder, Value* x, Value* y) {
  const Real outer{builder, x->getType()};
  if (!outer.wide) {
    llvm::Type* wide = builder.getDoubleTy();
    Value* value = remainder(target, builder, builder.CreateFPExt(x, wide), builder.CreateFPExt(y, wide));
    return builder.CreateFPTrunc(value, outer.type);
  }
  return target.call("rem.f64", x->getType(), {x, y}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* x = function.getArg(0);
    const Real r{b, x->getType()};
    Value* magnitude = r.magnitude(x);
    Value* y = r.magnitude(function.getArg(1));
    auto* entry = b.GetInsertBlock();
    auto* test = llvm::BasicBlock::Create(b.getContext(), "test", &function);
    auto* reduce = llvm::BasicBlock::Create(b.getContext(), "reduce", &function);
    auto* done = llvm::BasicBlock::Create(b.getContext(), "done", &function);
    b.CreateBr(test);
    b.SetInsertPoint(test);
    auto* rest = b.CreatePHI(r.type, 2);
    rest->addIncoming(magnitude, entry);
    b.CreateCondBr(b.CreateFCmpOGE(rest, y), reduce, done);  // NaN, and what gives NaN, ends it
    b.SetInsertPoint(reduce);
    Value* quotient = b.CreateFMul(b.CreateFDiv(rest, y), r.number(1 - 0x1p-52));  // never above the true one
    quotient = b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, quotient);
    quotient = b.CreateBitCast(b.CreateAnd(b.CreateBitCast(quotient, r.bits()), ~std::uint64_t{15}), r.type);
    quotient = b.CreateSelect(b.CreateFCmpOLT(quotient, r.number(1)), r.number(1), quotient);
    rest->addIncoming(r.fma(b.CreateFNeg(quotient), y, rest), reduce);
    b.CreateBr(test);
    b.SetInsertPoint(done);
    Value* valid = b.CreateSelect(b.CreateFCmpORD(y, y), rest, y);
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, valid, x);
  });
}

}  // namespace phobos::nvptx
