// Folds: along rows of tiles, down columns, over a thread's run, over lanes and threads.
#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

namespace {

constexpr std::int64_t warp = 32;

// The part of an axis that lies in different warps.
std::vector<Digit> across_warps(const Axis& axis) {
  std::vector<Digit> digits;
  for (const Digit& digit : axis.threads)
    if (digit.divisor >= warp) digits.push_back(digit);
  return digits;
}

std::int64_t count(const std::vector<Digit>& digits) {
  std::int64_t all = 1;
  for (const Digit& digit : digits) all *= digit.count;
  return all;
}

}  // namespace

// Which of the warps that share a row this one is.
Value* Emitter::number_of(const std::vector<Digit>& digits) {
  V number = i32(0);
  std::int64_t weight = 1;
  for (const Digit& digit : digits) {
    number = b_.CreateAdd(number, b_.CreateMul(thread_digit(digit), i32(weight)));
    weight *= digit.count;
  }
  return number;
}

// Of the lanes that share a row, the first.
Value* Emitter::leads(const Axis& axis) {
  V condition = b_.getTrue();
  for (const Digit& digit : axis.threads)
    if (digit.divisor < warp) condition = b_.CreateAnd(condition, b_.CreateICmpEQ(thread_digit(digit), i32(0)));
  return condition;
}

void Emitter::note_fold(ir::FoldOp fold, ScalarType element) {
  const bool integers = element == ScalarType::I32 || element == ScalarType::I8 || element == ScalarType::U8;
  if (fold == ir::FoldOp::Any || fold == ir::FoldOp::All || !integers) return;
  if (target_.chip().has_redux()) decide(Decision::Kind::Fold, "integers across a warp", "redux.sync");
  else decide(Decision::Kind::Fold, "integers across a warp", "five shuffles", fmt::format("{} has no redux.sync", target_.chip().name));
}

Parts Emitter::fold_slots(ir::FoldOp fold, ScalarType element, const Parts& tile, const Layout& layout) {
  const ScalarType wide = Math::fold_type(element);
  Parts rows;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    V sum = nullptr, odd = nullptr;  // in a chain of contractions by two ways, since there each waits for the one before
    for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
      V value = math_.convert(tile[index(layout, i, j)], element, wide);
      if (V valid = column_valid(layout, j)) value = b_.CreateSelect(valid, value, math_.identity(fold, wide));
      V& way = chain_ && j % 2 == 1 ? odd : sum;
      way = way ? math_.fold(fold, wide, way, value) : value;
    }
    rows.push_back(odd ? math_.fold(fold, wide, sum, odd) : sum);
  }
  return rows;
}

// Each thread its slots, then the lanes of a warp by shuffles, then, for rows longer than that, the warps through shared memory.
Parts Emitter::fold_rows(ir::FoldOp fold, ScalarType element, const Parts& tile, const Layout& layout) {
  const ScalarType wide = Math::fold_type(element);
  Parts rows = fold_slots(fold, element, tile, layout);
  for (V& sum : rows)
    for (const Digit& digit : layout.columns.threads)
      if (digit.divisor < warp) {
        if (digit.count == warp) note_fold(fold, wide);
        sum = math_.fold_lanes(fold, wide, sum, static_cast<int>(digit.count), static_cast<int>(digit.divisor));
      }
  const std::vector<Digit> others = across_warps(layout.columns);
  const std::int64_t warps = count(others);
  if (warps > 1) {
    begin_exchange();
    V base = exchange(0, layout.rows.reach() * warps * size_of(wide));
    V first_lane = leads(layout.columns);
    std::vector<V> at;
    for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
      at.push_back(b_.CreateMul(row(layout, i), i32(warps)));
      V own = this->element(base, wide, b_.CreateAdd(at.back(), number_of(others)));
      target_.masked_store(rows[static_cast<std::size_t>(i)], own, first_lane);
    }
    end_writes();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = load_element(this->element(base, wide, at[i]), wide);
      for (std::int64_t w = 1; w < warps; ++w)
        rows[i] = math_.fold(fold, wide, rows[i], load_element(this->element(base, wide, b_.CreateAdd(at[i], i32(w))), wide));
    }
    end_exchange();
  }
  for (V& row : rows) row = math_.convert(row, wide, element);
  return rows;
}

void Emitter::emit_row_fold(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const ScalarType element = type(op.operands[0]).element;
  const Parts rows = fold_rows(static_cast<ir::FoldOp>(op.immediate), element, parts(op.operands[0]), from);
  const Parts moved = relayout(rows, element, folded(from), layout(op.results[0]));
  Parts made;
  for (V value : moved) made.push_back(math_.convert(value, element, type(op.results[0]).element));
  define(op, std::move(made));
}

void Emitter::emit_row_argmax(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const Parts& tile = parts(op.operands[0]);
  const ScalarType element = type(op.operands[0]).element;
  const ScalarType wide = Math::fold_type(element);
  V nowhere = i32(0x7fffffff);
  V least = is_float(wide) ? llvm::ConstantFP::getInfinity(type_of(context_, wide), true) : math_.identity(ir::FoldOp::Max, wide);
  struct Best {
    V value, index;
  };
  const auto better = [&](const Best& a, const Best& b) -> Best {
    V more = math_.elementwise(Opcode::CmpGt, wide, ScalarType::Bool, {b.value, a.value});
    V equal = math_.elementwise(Opcode::CmpEq, wide, ScalarType::Bool, {b.value, a.value});
    V take = b_.CreateOr(more, b_.CreateAnd(equal, b_.CreateICmpSLT(b.index, a.index)));
    return {b_.CreateSelect(take, b.value, a.value), b_.CreateSelect(take, b.index, a.index)};
  };
  std::vector<Best> rows;
  for (std::int64_t i = 0; i < from.rows.slot_count(); ++i) {
    Best best{least, nowhere};
    for (std::int64_t j = 0; j < from.columns.slot_count(); ++j) {
      Best next{math_.convert(tile[index(from, i, j)], element, wide), column(from, j)};
      if (V valid = column_valid(from, j))
        next = {b_.CreateSelect(valid, next.value, least), b_.CreateSelect(valid, next.index, nowhere)};
      best = better(best, next);
    }
    for (const Digit& digit : from.columns.threads)
      for (std::int64_t distance = digit.divisor < warp ? digit.divisor * digit.count / 2 : 0; distance >= digit.divisor; distance /= 2)
        best = better(best, {target_.shuffle(ir::ShuffleMode::Xor, best.value, i32(distance)),
                             target_.shuffle(ir::ShuffleMode::Xor, best.index, i32(distance))});
    rows.push_back(best);
  }
  const std::vector<Digit> others = across_warps(from.columns);
  const std::int64_t warps = count(others);
  if (warps > 1) {
    const std::int64_t count = from.rows.reach() * warps;
    begin_exchange();
    V values = exchange(0, count * size_of(wide));
    V indices = exchange((count * size_of(wide) + 15) / 16 * 16, count * 4);
    V first_lane = leads(from.columns);
    const auto at = [&](std::size_t i, V w) {
      return b_.CreateAdd(b_.CreateMul(row(from, static_cast<std::int64_t>(i)), i32(warps)), w);
    };
    V own = number_of(others);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      target_.masked_store(rows[i].value, this->element(values, wide, at(i, own)), first_lane);
      target_.masked_store(rows[i].index, this->element(indices, ScalarType::I32, at(i, own)), first_lane);
    }
    end_writes();
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::int64_t w = 0; w < warps; ++w) {
        const Best next{load_element(this->element(values, wide, at(i, i32(w))), wide),
                        load_element(this->element(indices, ScalarType::I32, at(i, i32(w))), ScalarType::I32)};
        rows[i] = w == 0 ? next : better(rows[i], next);
      }
    end_exchange();
  }
  Parts made;
  for (const Best& best : rows) made.push_back(b_.CreateSelect(b_.CreateICmpEQ(best.index, nowhere), i32(0), best.index));
  define(op, relayout(made, ScalarType::I32, folded(from), layout(op.results[0])));
}

// A thread walks down a column in shared memory.
void Emitter::emit_cumsum(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const ScalarType element = type(op.operands[0]).element;
  const ScalarType wide = Math::fold_type(element);
  begin_exchange();
  V base = exchange(0, from.rows.extent * from.columns.extent * size_of(element));
  stage(parts(op.operands[0]), from, element, base, row_major(from.columns.extent));
  end_writes();
  repeat(thread_, i32(from.columns.extent), i32(kernel_.threads), {}, [&](V column, const Parts&) -> Parts {
    repeat(i32(0), i32(from.rows.extent), i32(1), {llvm::Constant::getNullValue(type_of(context_, wide))},
           [&](V row, const Parts& sum) -> Parts {
             V pointer = this->element(base, element, b_.CreateAdd(b_.CreateMul(row, i32(from.columns.extent)), column));
             V next = math_.fold(ir::FoldOp::Sum, wide, sum[0], math_.convert(load_element(pointer, element), element, wide));
             store_element(math_.convert(next, wide, element), pointer, element);
             return {next};
           });
    return {};
  });
  barrier();
  define(op, collect(layout(op.results[0]), element, base, row_major(from.columns.extent)));
  end_exchange();
}

void Emitter::emit_run_fold(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  const ScalarType wide = Math::fold_type(element);
  const auto fold = static_cast<ir::FoldOp>(op.immediate);
  V sum = nullptr;
  for (V part : parts(op.operands[0])) {
    V value = math_.convert(part, element, wide);
    sum = sum ? math_.fold(fold, wide, sum, value) : value;
  }
  define(op, math_.convert(sum, wide, type(op.results[0]).element));
}

void Emitter::emit_collective(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  const ScalarType wide = Math::fold_type(element);
  const ir::FoldOp fold = ir::collective_fold(op.immediate);
  note_fold(fold, wide);
  V value = math_.fold_lanes(fold, wide, math_.convert(scalar(op.operands[0]), element, wide), warp);
  const std::int64_t warps = kernel_.threads / warp;
  if (ir::collective_scope(op.immediate) == ir::Scope::Thread && warps > 1) {
    begin_exchange();
    V base = exchange(0, warps * size_of(wide));
    V first_lane = b_.CreateICmpEQ(b_.CreateAnd(thread_, warp - 1), i32(0));
    target_.masked_store(memory_value(value, wide), this->element(base, wide, b_.CreateLShr(thread_, 5)), first_lane);
    end_writes();
    value = load_element(base, wide);
    for (std::int64_t w = 1; w < warps; ++w)
      value = math_.fold(fold, wide, value, load_element(this->element(base, wide, i32(w)), wide));
    end_exchange();
  }
  define(op, math_.convert(value, wide, type(op.results[0]).element));
}

void Emitter::emit_shuffle(const ir::Op& op) {
  const auto mode = static_cast<ir::ShuffleMode>(op.immediate);
  V value = scalar(op.operands[0]);
  V by = as_i64(op.operands[1]);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(by);
  if (mode == ir::ShuffleMode::From || (known && known->getSExtValue() >= 0 && known->getSExtValue() < warp))
    return define(op, target_.shuffle(mode, value, as_i32(b_.CreateAnd(by, i64(warp - 1)))));
  V lane = b_.CreateZExt(b_.CreateAnd(thread_, warp - 1), b_.getInt64Ty());
  V from = mode == ir::ShuffleMode::Xor  ? b_.CreateXor(lane, by)
           : mode == ir::ShuffleMode::Up ? b_.CreateSub(lane, by)
                                         : b_.CreateAdd(lane, by);
  from = b_.CreateSelect(b_.CreateICmpULT(from, i64(warp)), from, lane);  // past the edge: its own
  define(op, target_.shuffle(ir::ShuffleMode::From, value, as_i32(from)));
}

}  // namespace phobos::nvptx
