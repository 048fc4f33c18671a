// Turns of a chain of contractions that need no selections.
// Selections under a condition on places (`at + iota < N`, a causal mask) hold throughout most turns; which those are follows from the
// bounds of both sides, and such a turn is done by code without the selections.
// In such a turn what scores are multiplied by goes into the exponent, too, where it is a positive number. Where that would lose bits, for
// scores of thousands, the CTA does its blocks once more, by the other code: so nothing has to be decided between scores and their powers.
#include <llvm/IR/Intrinsics.h>

#include "chain.h"
#include "roles.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

// A scalar of the loop, with what it follows from there.
void Emitter::emit_inside(ir::ValueId value, std::map<std::uint32_t, bool>& known) {
  const ir::OpId made = kernel_[value].op;
  if (!made_inside(kernel_, *chain_->loop, value) || !made.valid() || !known.emplace(value.value, true).second) return;
  for (const ir::ValueId operand : kernel_[made].operands) emit_inside(operand, known);
  emit(made, kernel_[made]);
}

// The least and the most that a tile of integers has, where they follow from scalars. Sums wrap as those of the tile do: where the least is
// more than the most, neither is one.
std::optional<std::pair<Value*, Value*>> Emitter::bounds(ir::ValueId tile) {
  const ir::OpId made = kernel_[tile].op;
  if (!made.valid() || !is_integer(type(tile).element)) return std::nullopt;
  const ir::Op& op = kernel_[made];
  llvm::Type* word = type_of(context_, type(tile).element);
  switch (op.code) {
    case Opcode::Splat: {
      if (made_inside(kernel_, *chain_->loop, op.operands[0])) {
        std::map<std::uint32_t, bool> known;
        emit_inside(op.operands[0], known);
      }
      V one = b_.CreateIntCast(scalar(op.operands[0]), word, is_signed(type(op.operands[0]).element));
      return std::pair(one, one);
    }
    case Opcode::Broadcast: return bounds(op.operands[0]);
    case Opcode::Iota: {
      const std::int64_t extent = type(tile).shape[static_cast<std::size_t>(op.immediate)];
      return std::pair<V, V>(llvm::ConstantInt::get(word, 0), llvm::ConstantInt::get(word, static_cast<std::uint64_t>(extent - 1)));
    }
    case Opcode::Convert: {
      if (!is_integer(type(op.operands[0]).element) || size_of(type(op.operands[0]).element) > size_of(type(tile).element)) return std::nullopt;
      const auto of = bounds(op.operands[0]);
      if (!of) return std::nullopt;
      const bool sign = is_signed(type(op.operands[0]).element);
      return std::pair(b_.CreateIntCast(of->first, word, sign), b_.CreateIntCast(of->second, word, sign));
    }
    case Opcode::Add:
    case Opcode::Sub: {
      const auto a = bounds(op.operands[0]), b = bounds(op.operands[1]);
      if (!a || !b) return std::nullopt;
      if (op.code == Opcode::Add) return std::pair(b_.CreateAdd(a->first, b->first), b_.CreateAdd(a->second, b->second));
      return std::pair(b_.CreateSub(a->first, b->second), b_.CreateSub(a->second, b->first));
    }
    default: return std::nullopt;
  }
}

// Whether a condition holds for each element of the tile; null: that is not known before.
Value* Emitter::always(ir::ValueId condition) {
  const ir::OpId made = kernel_[condition].op;
  if (!made.valid()) return nullptr;
  const ir::Op& op = kernel_[made];
  switch (op.code) {
    case Opcode::Broadcast: return always(op.operands[0]);
    case Opcode::And: {
      V a = always(op.operands[0]), b = a ? always(op.operands[1]) : nullptr;
      return b ? b_.CreateAnd(a, b) : nullptr;
    }
    case Opcode::CmpLt:
    case Opcode::CmpLe:
    case Opcode::CmpGt:
    case Opcode::CmpGe: {
      const auto a = bounds(op.operands[0]), b = a ? bounds(op.operands[1]) : std::nullopt;
      if (!b) return nullptr;
      const ScalarType element = type(op.operands[0]).element;
      const bool less = op.code == Opcode::CmpLt || op.code == Opcode::CmpLe;
      V holds = math_.elementwise(op.code, element, ScalarType::Bool, {less ? a->second : a->first, less ? b->first : b->second});
      for (const auto& [least, most] : {*a, *b}) holds = b_.CreateAnd(holds, math_.elementwise(Opcode::CmpLe, element, ScalarType::Bool, {least, most}));
      return holds;
    }
    default: return nullptr;
  }
}

// In a whole turn: whether a tile is what the first contraction gives, maybe times a scalar.
std::optional<Emitter::Scaled> Emitter::scaled(ir::ValueId tile) {
  const ir::ValueId scores = chain_->first->results[0];
  for (;;) {
    if (tile == scores) return Scaled{scores, nullptr};
    const ir::OpId made = kernel_[tile].op;
    if (!made.valid() || type(tile).element != ScalarType::F32 || !made_inside(kernel_, *chain_->loop, tile)) return std::nullopt;
    const ir::Op& op = kernel_[made];
    if (whole_selections_.contains(&op)) {
      tile = op.operands[1];
      continue;
    }
    if (op.code != Opcode::Mul) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
      ir::ValueId factor = op.operands[i];
      while (kernel_[factor].op.valid() && kernel_[kernel_[factor].op].code == Opcode::Broadcast) factor = kernel_[kernel_[factor].op].operands[0];
      const ir::OpId splat = kernel_[factor].op;
      if (op.operands[1 - i] != scores || !splat.valid() || kernel_[splat].code != Opcode::Splat) continue;
      if (!made_inside(kernel_, *chain_->loop, kernel_[splat].operands[0])) return Scaled{scores, scalar(kernel_[splat].operands[0])};
    }
    return std::nullopt;
  }
}

// Of one multiply-add for a power, where what is subtracted is large, rounding it would show: a walk in which that happens is repeated.
void Emitter::note_bound(V subtrahend) {
  constexpr double most = 4096;  // 4096 log2 e 2^-24, of a power, is less than what rounding to f16 loses
  V size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, subtrahend);
  V bounded = b_.CreateFCmpOLE(size, llvm::ConstantFP::get(b_.getFloatTy(), most));
  b_.CreateStore(b_.CreateAnd(b_.CreateLoad(b_.getInt1Ty(), bounded_), bounded), bounded_);
  notes_bounds_ = true;
}

// Whether a CTA has to do its blocks once more: a consumer has passed a bound. Null: there is none to pass. `tell` ends a consumer's part.
Value* Emitter::has_passed(const std::function<void()>& tell) {
  if (!notes_bounds_) return nullptr;
  tell();
  target_.wait_for_phase(verdict(), i32(0));
  return b_.CreateICmpNE(b_.CreateLoad(b_.getInt32Ty(), passed_word()), i32(0));
}

// The barrier at which groups arrive with their verdict, and the word in which it is.
Value* Emitter::verdict() { return shared_byte(bulk_->ring_bytes() + bulk_->box_area(kernel_) + bulk_->verdict_at()); }
Value* Emitter::passed_word() { return shared_byte(bulk_->ring_bytes() + bulk_->box_area(kernel_) + bulk_->verdict_at() + 8); }

void Emitter::tell_verdict() {
  if (!bulk_->stores.empty()) guarded(leads_group_, [&] { target_.wait_for_boxes(0, false); });  // what is stored once more comes later
  guarded(b_.CreateNot(b_.CreateLoad(b_.getInt1Ty(), bounded_)), [&] {
    auto* store = b_.CreateAlignedStore(i32(1), passed_word(), llvm::Align(4));
    store->setAtomic(llvm::AtomicOrdering::Monotonic, context_.getOrInsertSyncScopeID("block"));
  });
  target_.group_barrier(b_.CreateAdd(group_, i32(roles::first_group_barrier)), roles::group);
  guarded(leads_group_, [&] { target_.arrive(verdict()); });
}

// The largest of what is multiplied by a positive number is the largest, multiplied: rounding keeps the order.
bool Emitter::emit_scaled_maximum(const ir::Op& op) {
  if (!whole_turn_ || op.code != Opcode::RowFold || static_cast<ir::FoldOp>(op.immediate) != ir::FoldOp::Max) return false;
  const auto of = scaled(op.operands[0]);
  if (!of) return false;
  const Layout& from = layout(of->tile);
  Parts rows = fold_rows(ir::FoldOp::Max, ScalarType::F32, parts(of->tile), from);
  if (of->factor)
    for (V& row : rows) row = b_.CreateFMul(row, of->factor);
  define(op, relayout(rows, ScalarType::F32, folded(from), layout(op.results[0])));
  return true;
}

// Whether this turn is whole: no selection fails, and factors of what is folded are such that they may be multiplied by later. Null: it is
// done in one way only.
Value* Emitter::whole_turn(const Chain& chain) {
  V whole = nullptr;
  whole_selections_.clear();
  for (const ir::OpId id : chain.between) {
    const ir::Op& op = kernel_[id];
    if (op.code != Opcode::Select || !type(op.results[0]).is_tile()) continue;
    if (V holds = always(op.operands[0])) {
      whole = both(whole, holds);
      whole_selections_.insert(&op);
    }
  }
  if (whole_selections_.empty() && !chain.powers) return nullptr;
  if (!may_be_whole_) may_be_whole_ = may_be_whole(chain);  // in the first turn, which all others come after
  return both(whole, may_be_whole_);
}

// Of a turn that is not begun yet: what the loop carries may be in a condition's bounds.
Value* Emitter::whole_turn_at(const Chain& chain, V turn, const Parts& now) {
  taken(chain, now);
  stand_in_turn(chain, turn);
  return whole_turn(chain);
}

// What of that is the same in all turns: factors that go into an exponent are not so large that they leave f32 there.
Value* Emitter::may_be_whole(const Chain& chain) {
  llvm::Type* real = b_.getFloatTy();
  V may = b_.CreateNot(exact_);
  for (const ir::OpId id : chain.between) {
    const ir::Op& op = kernel_[id];
    const bool maximum = op.code == Opcode::RowFold && static_cast<ir::FoldOp>(op.immediate) == ir::FoldOp::Max;
    if (!maximum && !is_fast_exp(op)) continue;
    const auto of = scaled(maximum ? op.operands[0] : power_of(op).first);
    if (!of || !of->factor) continue;
    may = b_.CreateAnd(may, b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, of->factor), llvm::ConstantFP::get(real, 0x1p100)));
    if (maximum) may = b_.CreateAnd(may, b_.CreateFCmpOGT(of->factor, llvm::ConstantFP::get(real, 0.0)));
  }
  return may;
}

}  // namespace phobos::nvptx
