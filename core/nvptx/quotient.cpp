// Rows divided by a column of theirs, as softmax and attention end: one reciprocal a row, and for each element a product and two steps of
// refinement, which give the rounded quotient (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor",
// 1990) where nothing overflows. Whether something does is summed up and looked at once; everything is divided again then, one by one.
// A quotient below 2^-40 may be off in its last bit, so this is for those that are rounded to 16 bits.
#include <algorithm>

#include <llvm/IR/Intrinsics.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;

namespace {

constexpr double least_divisor = 0x1p-60, most_divisor = 0x1p60;
constexpr std::int64_t worth = 8;  // quotients of a thread in a row

}  // namespace

bool Emitter::emit_quotients(const ir::Op& op) {
  const ir::OpId made = kernel_[op.operands.back()].op;
  if (op.code != Opcode::Div || !bulk_ || !type(op.results[0]).is_tile() || type(op.results[0]).element != ScalarType::F32 || !made.valid() || kernel_[made].code != Opcode::Broadcast) return false;
  const ir::ValueId column = kernel_[made].operands[0];
  const Layout& to = layout(op.results[0]);
  if (layout(column).rows != to.rows || layout(column).columns.extent != 1 || to.columns.slot_count() < worth) return false;
  const bool rounded = std::all_of(kernel_.ops.begin(), kernel_.ops.end(), [&](const ir::Op& other) {
    const bool reads = std::find(other.operands.begin(), other.operands.end(), op.results[0]) != other.operands.end();
    return !reads || (other.code == Opcode::Convert && size_of(type(other.results[0]).element) == 2 && is_float(type(other.results[0]).element));
  });
  if (!rounded) return false;

  llvm::Type* real = b_.getFloatTy();
  const auto number = [&](double value) { return llvm::ConstantFP::get(real, value); };
  const auto fma = [&](V x, V y, V z) { return b_.CreateIntrinsic(llvm::Intrinsic::fma, {real}, {x, y, z}); };
  const Parts &tile = parts(op.operands[0]), &divisors = parts(column);
  V good = b_.getTrue();
  Parts quotients, excess(4, number(0));
  for (std::int64_t i = 0; i < to.rows.slot_count(); ++i) {
    V divisor = divisors[static_cast<std::size_t>(i)], magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, divisor);
    good = b_.CreateAnd(good, b_.CreateAnd(b_.CreateFCmpOGE(magnitude, number(least_divisor)), b_.CreateFCmpOLE(magnitude, number(most_divisor))));
    V reciprocal = b_.CreateFDiv(number(1), divisor), minus = b_.CreateFNeg(divisor);
    for (std::int64_t j = 0; j < to.columns.slot_count(); ++j) {
      V dividend = tile[index(to, i, j)], first = b_.CreateFMul(dividend, reciprocal), quotient = first;
      for (int step = 0; step < 2; ++step) quotient = fma(fma(quotient, minus, dividend), reciprocal, quotient);
      V sign = b_.CreateAnd(b_.CreateBitCast(first, b_.getInt32Ty()), std::uint64_t{0x80000000});  // of a zero, which the steps lose
      quotient = b_.CreateBitCast(b_.CreateOr(b_.CreateBitCast(quotient, b_.getInt32Ty()), sign), real);
      V& sum = excess[static_cast<std::size_t>(j % 4)];
      sum = fma(quotient, number(0), sum);
      quotients.push_back(quotient);
    }
  }
  V sum = b_.CreateFAdd(b_.CreateFAdd(excess[0], excess[1]), b_.CreateFAdd(excess[2], excess[3]));
  good = b_.CreateAnd(good, b_.CreateFCmpORD(sum, sum));
  Join met = join("divided");
  auto* again = llvm::BasicBlock::Create(context_, "again", function_);
  met.incoming.emplace_back(b_.GetInsertBlock(), quotients);
  b_.CreateCondBr(good, met.block, again);
  b_.SetInsertPoint(again);
  Parts slowly;
  for (std::int64_t i = 0; i < to.rows.slot_count(); ++i)
    for (std::int64_t j = 0; j < to.columns.slot_count(); ++j) slowly.push_back(b_.CreateFDiv(tile[index(to, i, j)], divisors[static_cast<std::size_t>(i)]));
  jump(met, slowly);
  define(op, arrive(met, op.results));
  return true;
}

}  // namespace phobos::nvptx
