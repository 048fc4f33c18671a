// Copies of a slice into shared memory that go on by themselves, 16 bytes at a time. Where the slice lies inside the tensor that is all,
// and each copy is one instruction under a condition, with no branch: the multiplications between which they are issued stay in one
// block, and the assembler can mix them. Where the slice reaches past an end, the bytes beyond are not read and become 0; where the
// tensor's rows are not aligned to 16 bytes, threads copy element by element, and wait. Which of the three is the same for all threads.
// The two slow ways, of all copies of a turn, stand before the block, behind one branch, and share no address with it: what is
// computed before a branch cannot be mixed with the multiplications behind it.
#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using llvm::Value;

Value* Emitter::stage_pointer(ir::ValueId ring, ir::ValueId stage) {
  const ir::Type& stages = type(ring);
  V at = b_.CreateMul(as_i32(scalar(stage)), i32(stages.shape[1] * stages.shape[2]));
  return element(scalar(ring), stages.element, at);
}

// Where an element lies in its stage.
Value* Emitter::place(const Copy& copy, V row, V column) {
  if (const passes::Swizzle* swizzle = swizzle_of(copy.op->operands[0])) return swizzled(*swizzle, copy.rows, copy.element, row, column);
  return b_.CreateAdd(b_.CreateMul(row, i32(copy.pitch), "", true, true), column, "", true, true);
}

// A thread's copies are a whole number of rows apart, where the CTA is wide enough for that: then each address is a step from the last.
void Emitter::copy_whole(const Copy& copy, V condition) {
  const std::int64_t across = copy.across(), threads = kernel_.threads;
  const passes::Swizzle* swizzle = swizzle_of(copy.op->operands[0]);
  const bool even = threads % across == 0 && (!swizzle || threads / across % 8 == 0);
  V row = b_.CreateUDiv(thread_, i32(across));
  V column = b_.CreateMul(b_.CreateURem(thread_, i32(across)), i32(copy.chunk()), "", true, true);
  V wide = b_.CreateAdd(b_.CreateMul(b_.CreateZExt(row, b_.getInt64Ty()), stride(copy.buffer, 0)), b_.CreateZExt(column, b_.getInt64Ty()));
  V from = element(copy.origin, copy.element, wide);
  V to = element(copy.to, copy.element, place(copy, row, column));
  V step = b_.CreateMul(stride(copy.buffer, 0), i64(threads / across));
  for (std::int64_t first = 0; first < copy.chunks(); first += threads) {
    V mask = condition;
    if (first + threads > copy.chunks()) mask = b_.CreateAnd(mask, b_.CreateICmpULT(thread_, i32(copy.chunks() - first)));
    if (even) {
      const std::int64_t down = first / threads * (threads / across) * (swizzle ? swizzle->row / size_of(copy.element) : copy.pitch);
      copies_.push_back([this, mask, from, to = element(to, copy.element, i32(down))] { target_.copy_async(to, from, nullptr, mask); });
      from = element(from, copy.element, step);
    } else {
      copies_.push_back([this, mask, copy, first, across] {
        V number = b_.CreateAdd(thread_, i32(first), "", true, true);
        V row = b_.CreateUDiv(number, i32(across));
        V column = b_.CreateMul(b_.CreateURem(number, i32(across)), i32(copy.chunk()), "", true, true);
        V from = b_.CreateAdd(b_.CreateMul(b_.CreateZExt(row, b_.getInt64Ty()), stride(copy.buffer, 0)), b_.CreateZExt(column, b_.getInt64Ty()));
        target_.copy_async(element(copy.to, copy.element, place(copy, row, column)), element(copy.origin, copy.element, from), nullptr, mask);
      });
    }
  }
}

// Some of the copies that were asked for; all where no number is given.
void Emitter::issue_copies(std::size_t most) {
  begin_copies();
  for (; most > 0 && !copies_.empty(); --most) {
    copies_.front()();
    copies_.pop_front();
  }
}

void Emitter::copy_ragged(const Copy& copy) {
  repeat(thread_, i32(copy.chunks()), i32(kernel_.threads), {}, [&](V number, const Parts&) -> Parts {
    V row = b_.CreateUDiv(number, i32(copy.across()));
    V column = b_.CreateMul(b_.CreateURem(number, i32(copy.across())), i32(copy.chunk()));
    V wide_row = b_.CreateZExt(row, b_.getInt64Ty()), wide_column = b_.CreateZExt(column, b_.getInt64Ty());
    V at_row = b_.CreateAdd(copy.starts[0], wide_row), at_column = b_.CreateAdd(copy.starts[1], wide_column);
    V inside = b_.CreateAnd(b_.CreateICmpULT(at_row, extent(copy.buffer, 0)), b_.CreateICmpULT(at_column, extent(copy.buffer, 1)));
    V left = b_.CreateMul(b_.CreateSub(extent(copy.buffer, 1), at_column), i64(size_of(copy.element)));
    V bytes = b_.CreateTrunc(b_.CreateSelect(b_.CreateICmpULT(left, i64(16)), left, i64(16)), b_.getInt32Ty());
    V from = b_.CreateAdd(b_.CreateMul(wide_row, stride(copy.buffer, 0)), wide_column);
    V pointer = b_.CreateSelect(inside, element(copy.origin, copy.element, from), scalar(copy.buffer));
    target_.copy_async(element(copy.to, copy.element, place(copy, row, column)), pointer, b_.CreateSelect(inside, bytes, i32(0)), b_.getTrue());
    return {};
  });
}

void Emitter::copy_elements(const Copy& copy) {
  repeat(thread_, i32(copy.rows * copy.columns), i32(kernel_.threads), {}, [&](V number, const Parts&) -> Parts {
    V row = b_.CreateUDiv(number, i32(copy.columns)), column = b_.CreateURem(number, i32(copy.columns));
    V wide_row = b_.CreateZExt(row, b_.getInt64Ty()), wide_column = b_.CreateZExt(column, b_.getInt64Ty());
    V inside = b_.CreateAnd(b_.CreateICmpULT(b_.CreateAdd(copy.starts[0], wide_row), extent(copy.buffer, 0)),
                            b_.CreateICmpULT(b_.CreateAdd(copy.starts[1], wide_column), extent(copy.buffer, 1)));
    V from = b_.CreateAdd(b_.CreateMul(wide_row, stride(copy.buffer, 0)), wide_column);
    V value = target_.masked_load(memory_type(context_, copy.element), element(copy.origin, copy.element, from), inside, true);
    b_.CreateAlignedStore(value, element(copy.to, copy.element, place(copy, row, column)), llvm::Align(static_cast<std::uint64_t>(size_of(copy.element))));
    return {};
  });
}

void Emitter::emit_async_load(const ir::Op& op) {
  const ir::Type& ring = type(op.operands[0]);
  Copy copy{&op, op.operands[3], ring.element, ring.shape[1], op.immediate, ring.shape[2]};
  const std::vector<ir::ValueId> starts(op.operands.begin() + 4, op.operands.end());
  for (const ir::ValueId start : starts) copy.starts.push_back(as_i64(start));
  copy.whether = scalar(op.operands[2]);
  copy.aligned = aligned(copy.buffer, starts, 16);
  const std::int64_t extents[] = {copy.rows, copy.columns};
  for (std::size_t axis = 0; axis < 2; ++axis)
    copy.inside = both(copy.inside, inside(copy.buffer, axis, starts[axis], extents[axis], op.operands[2]));
  note_async_copy(copy);
  asked_.push_back(std::move(copy));
}

// The slow ways of all copies that were asked for stand behind one branch, and what the plain way needs is computed behind them, in the
// block of the multiplications.
void Emitter::begin_copies() {
  if (asked_.empty()) return;
  const std::vector<Copy> copies = std::exchange(asked_, {});
  V any = nullptr;
  for (const Copy& copy : copies)
    if (V is_plain = plain(copy)) {
      V slow = b_.CreateAnd(copy.whether, b_.CreateNot(is_plain));
      any = any ? b_.CreateOr(any, slow) : slow;
    }
  if (any)
    guarded(any, [&] {
      for (const Copy& copy : copies)
        if (V is_plain = plain(copy)) guarded(b_.CreateAnd(copy.whether, b_.CreateNot(is_plain)), [&] { copy_slowly(placed(copy)); });
    });
  for (const Copy& copy : copies) copy_whole(placed(copy), both(copy.whether, plain(copy)));
}

Emitter::Copy Emitter::placed(Copy copy) {
  copy.origin = address(copy.buffer, flat_index(copy.buffer, copy.op->operands, 4));
  copy.to = stage_pointer(copy.op->operands[0], copy.op->operands[1]);
  return copy;
}

void Emitter::copy_slowly(const Copy& copy) {
  if (!copy.inside) return copy_elements(copy);
  if (!copy.aligned) return copy_ragged(copy);
  auto* ragged = llvm::BasicBlock::Create(context_, "ragged", function_);
  auto* unaligned = llvm::BasicBlock::Create(context_, "unaligned", function_);
  auto* copied = llvm::BasicBlock::Create(context_, "copied", function_);
  b_.CreateCondBr(copy.aligned, ragged, unaligned);
  b_.SetInsertPoint(ragged);
  copy_ragged(copy);
  b_.CreateBr(copied);
  b_.SetInsertPoint(unaligned);
  copy_elements(copy);
  b_.CreateBr(copied);
  b_.SetInsertPoint(copied);
}

void Emitter::note_async_copy(const Copy& copy) {
  const auto [inside, aligned] = std::pair(copy.inside, copy.aligned);
  Decision made;
  made.what = fmt::format("load of {}", slice_text(copy.buffer, {copy.rows, copy.columns}));
  made.path = "cp.async, 16 bytes at a time";
  made.fast = !inside && !aligned;
  made.masked = !made.fast;
  if (!made.fast) {
    made.path += fmt::format(" where it {}{}{}, else {}", inside ? "lies inside" : "", inside && aligned ? " and " : "", aligned ? "is aligned" : "",
                             aligned ? "element by element, masked" : "what is inside of it");
    made.reason = "where it lies is known when the kernel runs";
  }
  decide(std::move(made));
}

}  // namespace phobos::nvptx
