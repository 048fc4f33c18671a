// Tiles as values: places of elements, exchanges through shared memory, and the operations that only move or mask.
#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

// Where the first slot of this thread is along an axis.
Value* Emitter::place(const Axis& axis) {
  std::vector<std::array<std::int64_t, 3>> key;
  for (const Digit& digit : axis.threads) key.push_back({digit.divisor, digit.count, digit.stride});
  V& known = places_[key];
  if (known) return known;
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(block_thread_ ? block_thread_->getNextNode() : entry_->getTerminator());
  V sum = i32(0);
  for (const Digit& digit : axis.threads) sum = b_.CreateAdd(sum, b_.CreateMul(thread_digit(digit), i32(digit.stride), "", true, true), "", true, true);
  return known = sum;
}

Value* Emitter::thread_digit(const Digit& digit) {
  V value = digit.divisor == 1 ? thread_ : b_.CreateUDiv(thread_, i32(digit.divisor));
  return digit.divisor * digit.count >= kernel_.threads ? value : b_.CreateURem(value, i32(digit.count));
}

Value* Emitter::row(const Layout& layout, std::int64_t slot) {
  return b_.CreateAdd(place(layout.rows), i32(layout.rows.of_slot(slot)), "", true, true);
}

Value* Emitter::column(const Layout& layout, std::int64_t slot) {
  return b_.CreateAdd(place(layout.columns), i32(layout.columns.of_slot(slot)), "", true, true);
}

Value* Emitter::row_valid(const Layout& layout, std::int64_t slot) {
  return layout.rows.inside(slot) ? nullptr : b_.CreateICmpULT(row(layout, slot), i32(layout.rows.extent));
}

Value* Emitter::column_valid(const Layout& layout, std::int64_t slot) {
  return layout.columns.inside(slot) ? nullptr : b_.CreateICmpULT(column(layout, slot), i32(layout.columns.extent));
}

Value* Emitter::owner(const Layout& layout) {
  V condition = nullptr;
  for (const Digit& digit : layout.copies) condition = both(condition, b_.CreateICmpEQ(thread_digit(digit), i32(0)));
  return condition;
}

// `pitch` says that a row lies in one piece, and how far from the next: neighbours in a thread are written at once then.
void Emitter::stage(const Parts& tile, const Layout& layout, ScalarType element, V base, const Where& where, const Where& only,
                    std::int64_t pitch) {
  std::int64_t width = pitch > 0 && !only && element != ScalarType::Bool ? std::min<std::int64_t>(layout.vector(), 16 / size_of(element)) : 1;
  while (width > 1 && (pitch % width != 0 || layout.columns.extent % width != 0)) width /= 2;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    V valid_row = row_valid(layout, i);
    V r = row(layout, i);
    for (std::int64_t j = 0; j < layout.columns.slot_count(); j += width) {
      V c = column(layout, j);
      V valid = both(valid_row, column_valid(layout, j));
      if (only) valid = both(valid, only(r, c));
      V value = tile[index(layout, i, j)];
      V pointer = this->element(base, element, where(r, c));
      if (width > 1) {
        auto* wide = llvm::FixedVectorType::get(value->getType(), static_cast<unsigned>(width));
        V all = llvm::PoisonValue::get(wide);
        for (std::int64_t k = 0; k < width; ++k) all = b_.CreateInsertElement(all, tile[index(layout, i, j + k)], static_cast<std::uint64_t>(k));
        const auto write = [&] { b_.CreateAlignedStore(all, pointer, llvm::Align(static_cast<std::uint64_t>(width * size_of(element)))); };
        if (valid) guarded(valid, write);
        else write();
      } else if (valid) {
        target_.masked_store(memory_value(value, element), pointer, valid);
      } else {
        store_element(value, pointer, element);
      }
    }
  }
}

// Slots past the end read what the first element's place holds.
Parts Emitter::collect(const Layout& layout, ScalarType element, V base, const Where& where) {
  Parts tile;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    V valid_row = row_valid(layout, i);
    V r = row(layout, i);
    for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
      V at = where(r, column(layout, j));
      if (V valid = both(valid_row, column_valid(layout, j))) at = b_.CreateSelect(valid, at, i32(0));
      tile.push_back(load_element(this->element(base, element, at), element));
    }
  }
  return tile;
}

Parts Emitter::relayout(const Parts& tile, ScalarType element, const Layout& from, const Layout& to) {
  if (from.rows == to.rows && from.columns == to.columns) return tile;
  begin_exchange();
  V base = exchange(0, from.rows.extent * from.columns.extent * size_of(element));
  stage(tile, from, element, base, row_major(from.columns.extent));
  end_writes();
  Parts moved = collect(to, element, base, row_major(to.columns.extent));
  end_exchange();
  return moved;
}

void Emitter::emit_splat(const ir::Op& op) {
  define(op, Parts(part_count(op.results[0]), scalar(op.operands[0])));
}

void Emitter::emit_broadcast(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const Layout& to = layout(op.results[0]);
  const Parts& tile = parts(op.operands[0]);
  const ScalarType element = type(op.operands[0]).element;
  const bool rows_stay = from.rows.extent == 1 || from.rows == to.rows;
  const bool columns_stay = from.columns.extent == 1 || from.columns == to.columns;
  if (rows_stay && columns_stay) {
    Parts wide;
    for (std::int64_t i = 0; i < to.rows.slot_count(); ++i)
      for (std::int64_t j = 0; j < to.columns.slot_count(); ++j)
        wide.push_back(tile[index(from, from.rows.extent == 1 ? 0 : i, from.columns.extent == 1 ? 0 : j)]);
    return define(op, std::move(wide));
  }
  begin_exchange();
  V base = exchange(0, from.rows.extent * from.columns.extent * size_of(element));
  stage(tile, from, element, base, row_major(from.columns.extent));
  end_writes();
  const ir::Shape& narrow = type(op.operands[0]).shape;
  const ir::Shape& wide = type(op.results[0]).shape;
  define(op, collect(to, element, base, [&](V r, V c) -> V {
    V at = narrow.back() == 1 ? i32(0) : c;
    std::int64_t pitch = narrow.back();
    for (std::size_t axis = narrow.size() - 1; axis-- > 0; pitch *= narrow[axis]) {
      V along = b_.CreateURem(r, i32(wide[axis]));
      r = b_.CreateUDiv(r, i32(wide[axis]));
      if (narrow[axis] != 1) at = b_.CreateAdd(at, b_.CreateMul(along, i32(pitch)));
    }
    return at;
  }));
  end_exchange();
}

void Emitter::emit_reshape(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const Layout& to = layout(op.results[0]);
  if (from.rows == to.rows && from.columns == to.columns) return define(op, parts(op.operands[0]));
  const ScalarType element = type(op.operands[0]).element;
  begin_exchange();
  V base = exchange(0, from.rows.extent * from.columns.extent * size_of(element));
  stage(parts(op.operands[0]), from, element, base, row_major(from.columns.extent));
  end_writes();
  define(op, collect(to, element, base, row_major(to.columns.extent)));
  end_exchange();
}

void Emitter::emit_transpose(const ir::Op& op) {
  const Layout& from = layout(op.operands[0]);
  const Layout& to = layout(op.results[0]);
  const ScalarType element = type(op.operands[0]).element;
  const std::int64_t pitch = from.columns.extent + 1;  // so that a column lies across the banks
  begin_exchange();
  V base = exchange(0, from.rows.extent * pitch * size_of(element));
  stage(parts(op.operands[0]), from, element, base, row_major(pitch));
  end_writes();
  define(op, collect(to, element, base, [&](V r, V c) { return b_.CreateAdd(b_.CreateMul(c, i32(pitch)), r); }));
  end_exchange();
}

void Emitter::emit_iota(const ir::Op& op) {
  const Layout& to = layout(op.results[0]);
  const ir::Shape& shape = type(op.results[0]).shape;
  const auto axis = static_cast<std::size_t>(op.immediate);
  Parts tile;
  for (std::int64_t i = 0; i < to.rows.slot_count(); ++i)
    for (std::int64_t j = 0; j < to.columns.slot_count(); ++j) {
      V at = column(to, j);
      if (axis + 1 != shape.size()) {
        at = row(to, i);
        for (std::size_t inner = shape.size() - 2; inner > axis; --inner) at = b_.CreateUDiv(at, i32(shape[inner]));
        if (axis > 0) at = b_.CreateURem(at, i32(shape[axis]));
      }
      tile.push_back(math_.convert(at, ScalarType::I32, type(op.results[0]).element));
    }
  define(op, std::move(tile));
}

void Emitter::emit_tril(const ir::Op& op) {
  const Layout& to = layout(op.results[0]);
  const Parts& tile = parts(op.operands[0]);
  Parts kept;
  for (std::int64_t i = 0; i < to.rows.slot_count(); ++i)
    for (std::int64_t j = 0; j < to.columns.slot_count(); ++j) {
      V value = tile[index(to, i, j)];
      V keeps = b_.CreateICmpULE(column(to, j), row(to, i));
      kept.push_back(b_.CreateSelect(keeps, value, llvm::Constant::getNullValue(value->getType())));
    }
  define(op, std::move(kept));
}

void Emitter::emit_elementwise(const ir::Op& op) {
  if (emit_quotients(op)) return;
  const bool select = op.code == Opcode::Select;
  const ScalarType element = type(op.operands[select ? 1 : 0]).element;
  const ScalarType result = type(op.results[0]).element;
  Parts made;
  for (std::size_t i = 0; i < part_count(op.results[0]); ++i) {
    Parts operands;
    for (const ir::ValueId operand : op.operands) operands.push_back(parts(operand)[i]);
    V value = math_.elementwise(op.code, element, result, operands);
    if (!value) {
      fail(op, "not on " + std::string(name_of(element)));
      value = llvm::PoisonValue::get(type_of(context_, result));
    }
    made.push_back(value);
  }
  define(op, std::move(made));
}

}  // namespace phobos::nvptx
