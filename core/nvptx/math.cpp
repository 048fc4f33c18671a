#include "math.h"

#include <llvm/IR/Intrinsics.h>

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Intrinsic::ID;
using llvm::Value;

llvm::Type* type_of(llvm::LLVMContext& context, ScalarType type) {
  switch (type) {
    case ScalarType::F16: return llvm::Type::getHalfTy(context);
    case ScalarType::BF16: return llvm::Type::getBFloatTy(context);
    case ScalarType::F32: return llvm::Type::getFloatTy(context);
    case ScalarType::F64: return llvm::Type::getDoubleTy(context);
    default: return llvm::Type::getIntNTy(context, static_cast<unsigned>(bits_of(type)));
  }
}

llvm::Type* memory_type(llvm::LLVMContext& context, ScalarType type) {
  return type == ScalarType::Bool ? llvm::Type::getInt8Ty(context) : type_of(context, type);
}

llvm::Constant* constant(llvm::LLVMContext& context, ScalarType type, std::int64_t integer, double real) {
  llvm::Type* made = type_of(context, type);
  if (!is_float(type))
    return llvm::ConstantInt::get(
        context, llvm::APInt(made->getScalarSizeInBits(), static_cast<std::uint64_t>(integer), is_signed(type), true));
  llvm::APFloat value(real);
  bool lost = false;
  value.convert(made->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return llvm::ConstantFP::get(context, value);
}

namespace {

bool is_half(ScalarType type) { return type == ScalarType::F16 || type == ScalarType::BF16; }
bool is_compare(Opcode code) { return code >= Opcode::CmpEq && code <= Opcode::CmpGe; }

}  // namespace

Value* Math::elementwise(Opcode code, ScalarType type, ScalarType result, llvm::ArrayRef<Value*> operands) {
  if (code == Opcode::Select) return b_.CreateSelect(operands[0], operands[1], operands[2]);
  if (code == Opcode::Convert) return convert(operands[0], type, result);
  if (is_half(type)) {  // in f32, rounded once
    llvm::SmallVector<Value*, 3> wide;
    for (Value* operand : operands) wide.push_back(convert(operand, type, ScalarType::F32));
    if (is_compare(code)) return compare(code, ScalarType::F32, wide[0], wide[1]);
    return convert(floating(code, wide), ScalarType::F32, type);
  }
  if (is_compare(code)) return compare(code, type, operands[0], operands[1]);
  return is_float(type) ? floating(code, operands) : integer(code, type, operands);
}

Value* Math::compare(Opcode code, ScalarType type, Value* a, Value* b) {
  using P = llvm::CmpInst::Predicate;
  static constexpr P floats[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
  static constexpr P signeds[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
  static constexpr P unsigneds[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  const int which = static_cast<int>(code) - static_cast<int>(Opcode::CmpEq);
  if (is_float(type)) return b_.CreateFCmp(floats[which], a, b);
  return b_.CreateICmp(is_signed(type) ? signeds[which] : unsigneds[which], a, b);
}

// LLVM leaves division by zero and the one quotient that does not fit undefined; here the first gives what the divisor 1 would,
// and the second wraps.
Value* Math::quotient(Opcode code, ScalarType type, Value* a, Value* b) {
  llvm::Type* made = a->getType();
  Value* one = llvm::ConstantInt::get(made, 1);
  Value* bad = b_.CreateICmpEQ(b, llvm::ConstantInt::get(made, 0));
  if (is_signed(type)) {
    Value* least = llvm::ConstantInt::get(made, llvm::APInt::getSignedMinValue(made->getScalarSizeInBits()));
    Value* wraps = b_.CreateAnd(b_.CreateICmpEQ(a, least), b_.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(made)));
    bad = b_.CreateOr(bad, wraps);
  }
  Value* safe = b_.CreateSelect(bad, one, b);
  if (is_signed(type)) return code == Opcode::Div ? b_.CreateSDiv(a, safe) : b_.CreateSRem(a, safe);
  return code == Opcode::Div ? b_.CreateUDiv(a, safe) : b_.CreateURem(a, safe);
}

Value* Math::integer(Opcode code, ScalarType type, llvm::ArrayRef<Value*> operands) {
  Value* a = operands[0];
  Value* b = operands.size() > 1 ? operands[1] : nullptr;
  const bool sign = is_signed(type);
  const auto binary = [&](ID id) { return b_.CreateBinaryIntrinsic(id, a, b); };
  const auto count = [&] { return b_.CreateAnd(b, llvm::ConstantInt::get(b->getType(), a->getType()->getScalarSizeInBits() - 1)); };
  switch (code) {
    case Opcode::Add: return b_.CreateAdd(a, b);
    case Opcode::Sub: return b_.CreateSub(a, b);
    case Opcode::Mul: return b_.CreateMul(a, b);
    case Opcode::Div:
    case Opcode::Rem: return quotient(code, type, a, b);
    case Opcode::And: return b_.CreateAnd(a, b);
    case Opcode::Or: return b_.CreateOr(a, b);
    case Opcode::Xor: return b_.CreateXor(a, b);
    case Opcode::Shl: return b_.CreateShl(a, count());
    case Opcode::Shr: return sign ? b_.CreateAShr(a, count()) : b_.CreateLShr(a, count());
    case Opcode::Min: return binary(sign ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
    case Opcode::Max: return binary(sign ? llvm::Intrinsic::smax : llvm::Intrinsic::umax);
    case Opcode::Neg: return b_.CreateNeg(a);
    case Opcode::Not: return b_.CreateNot(a);
    case Opcode::Abs: return sign ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b_.getFalse()) : a;
    case Opcode::Floor:
    case Opcode::Ceil:
    case Opcode::Round: return a;
    default: return nullptr;
  }
}

Value* Math::floating(Opcode code, llvm::ArrayRef<Value*> operands) {
  Value* a = operands[0];
  Value* b = operands.size() > 1 ? operands[1] : nullptr;
  const auto unary = [&](ID id) { return b_.CreateUnaryIntrinsic(id, a); };
  switch (code) {
    case Opcode::Add: return b_.CreateFAdd(a, b);
    case Opcode::Sub: return b_.CreateFSub(a, b);
    case Opcode::Mul: return b_.CreateFMul(a, b);
    case Opcode::Div: return b_.CreateFDiv(a, b);
    case Opcode::Rem: return remainder(target_, b_, a, b);
    case Opcode::Min: return b_.CreateBinaryIntrinsic(llvm::Intrinsic::minimumnum, a, b);
    case Opcode::Max: return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maximumnum, a, b);
    case Opcode::Neg: return b_.CreateFNeg(a);
    case Opcode::Abs: return unary(llvm::Intrinsic::fabs);
    case Opcode::Floor: return unary(llvm::Intrinsic::floor);
    case Opcode::Ceil: return unary(llvm::Intrinsic::ceil);
    case Opcode::Round: return unary(llvm::Intrinsic::roundeven);
    case Opcode::Sqrt: return unary(llvm::Intrinsic::sqrt);
    case Opcode::Rsqrt:
      if (a->getType()->isFloatTy()) return target_.rsqrt_f32(a);
      return b_.CreateFDiv(llvm::ConstantFP::get(a->getType(), 1.0), unary(llvm::Intrinsic::sqrt));
    case Opcode::Exp: return exponential(target_, b_, a);
    case Opcode::Log: return logarithm(target_, b_, a);
    case Opcode::Sin: return sine(target_, b_, a, false);
    case Opcode::Cos: return sine(target_, b_, a, true);
    case Opcode::Tanh: return hyperbolic_tangent(target_, b_, a);
    case Opcode::Pow: return power(target_, b_, a, b);
    default: return nullptr;
  }
}

// To f32 with the last bit set where anything was lost, so that rounding once more to 16 bits is as rounding once. (f16 needs it of
// f64 only: an integer that f32 does not hold is infinite there.)
Value* Math::narrow_to_odd(Value* value) {
  Value* narrowed = b_.CreateFPTrunc(value, b_.getFloatTy());
  Value* back = b_.CreateFPExt(narrowed, value->getType());
  const auto magnitude = [&](Value* x) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value* bits = b_.CreateBitCast(narrowed, b_.getInt32Ty());
  Value* past = b_.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value* toward_zero = b_.CreateSub(bits, b_.CreateZExt(past, b_.getInt32Ty()));
  Value* odd = b_.CreateOr(toward_zero, b_.getInt32(1));
  return b_.CreateBitCast(b_.CreateSelect(b_.CreateFCmpONE(back, value), odd, bits), b_.getFloatTy());
}

Value* Math::integer_to_odd(Value* value) {
  llvm::Type* type = value->getType();
  const auto number = [&](std::uint64_t n) { return llvm::ConstantInt::get(type, n); };
  Value* magnitude = b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, value, b_.getFalse());
  Value* length = b_.CreateSub(number(type->getScalarSizeInBits()),
                               b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, magnitude, b_.getFalse()));
  Value* past = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, length, number(24));
  Value* last = b_.CreateShl(number(1), past);  // that stays
  Value* lost = b_.CreateAnd(magnitude, b_.CreateSub(last, number(1)));
  Value* kept = b_.CreateXor(magnitude, lost);
  Value* odd = b_.CreateSelect(b_.CreateICmpNE(lost, number(0)), b_.CreateOr(kept, last), kept);
  Value* real = b_.CreateUIToFP(odd, b_.getFloatTy());
  return b_.CreateSelect(b_.CreateICmpSLT(value, number(0)), b_.CreateFNeg(real), real);
}

Value* Math::convert(Value* value, ScalarType from, ScalarType to) {
  llvm::Type* made = type_of(b_.getContext(), to);
  if (value->getType() == made) return value;  // i8 and u8, i64 and index are the same bits
  if (to == ScalarType::Bool)
    return is_float(from) ? b_.CreateFCmpUNE(value, llvm::ConstantFP::get(value->getType(), 0.0))
                          : b_.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
  if (is_float(from) && is_float(to)) {
    if (is_half(from) && is_half(to)) return b_.CreateFPTrunc(b_.CreateFPExt(value, b_.getFloatTy()), made);
    if (from == ScalarType::F64 && is_half(to)) value = narrow_to_odd(value);
    return b_.CreateFPCast(value, made);
  }
  if (is_float(from)) {
    if (is_half(from)) value = b_.CreateFPExt(value, b_.getFloatTy());
    const ID id = is_signed(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return b_.CreateIntrinsic(id, {made, value->getType()}, {value});
  }
  if (to == ScalarType::BF16 && bits_of(from) > 24) return b_.CreateFPTrunc(integer_to_odd(value), made);
  if (is_float(to)) return is_signed(from) ? b_.CreateSIToFP(value, made) : b_.CreateUIToFP(value, made);
  return is_signed(from) ? b_.CreateSExtOrTrunc(value, made) : b_.CreateZExtOrTrunc(value, made);
}

ScalarType Math::fold_type(ScalarType type) { return is_half(type) ? ScalarType::F32 : type; }

Value* Math::fold(ir::FoldOp fold, ScalarType type, Value* a, Value* b) {
  switch (fold) {
    case ir::FoldOp::Sum: return elementwise(Opcode::Add, type, type, {a, b});
    case ir::FoldOp::Max: return elementwise(Opcode::Max, type, type, {a, b});
    case ir::FoldOp::Min: return elementwise(Opcode::Min, type, type, {a, b});
    case ir::FoldOp::Any: return b_.CreateOr(a, b);
    default: return b_.CreateAnd(a, b);
  }
}

Value* Math::identity(ir::FoldOp fold, ScalarType type) {
  llvm::Type* made = type_of(b_.getContext(), type);
  const bool most = fold == ir::FoldOp::Max;
  if (fold == ir::FoldOp::Sum || fold == ir::FoldOp::Any) return llvm::Constant::getNullValue(made);
  if (fold == ir::FoldOp::All) return llvm::Constant::getAllOnesValue(made);
  if (is_float(type)) return llvm::ConstantFP::getNaN(made);  // which gives way to every number, and is what rows of NaN come to
  const unsigned bits = made->getScalarSizeInBits();
  if (is_signed(type))
    return llvm::ConstantInt::get(made, most ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getSignedMaxValue(bits));
  return llvm::ConstantInt::get(made, most ? llvm::APInt::getMinValue(bits) : llvm::APInt::getMaxValue(bits));
}

Value* Math::fold_lanes(ir::FoldOp fold, ScalarType type, Value* value, int lanes, int apart) {
  if (lanes == 32) {
    if (fold == ir::FoldOp::Any || fold == ir::FoldOp::All) {
      if (type == ScalarType::Bool) return target_.vote(fold == ir::FoldOp::All, value);
    } else if (!target_.chip().has_redux()) {
      // by shuffles, as below
    } else if (type == ScalarType::I32) {
      return target_.reduce_i32(fold, true, value);
    } else if (type == ScalarType::I8 || type == ScalarType::U8) {
      Value* folded = target_.reduce_i32(fold, is_signed(type), convert(value, type, ScalarType::I32));
      return convert(folded, ScalarType::I32, type);
    }
  }
  for (int distance = lanes * apart / 2; distance >= apart; distance /= 2)
    value = this->fold(fold, type, value,
                       target_.shuffle(ir::ShuffleMode::Xor, value, b_.getInt32(static_cast<std::uint32_t>(distance))));
  return value;
}

}  // namespace phobos::nvptx
