// Copies between a tile and a slice of a buffer. The plain way, `vector` elements at a time, where the whole slice lies inside the
// buffer and is aligned, which is one test for all threads; element by element under masks otherwise.
#include <fmt/format.h>

#include "emitter.h"

namespace phobos::nvptx {

using llvm::Value;

struct Emitter::Slice {
  ir::ValueId buffer;
  ScalarType element;
  const ir::Shape* shape;  // of the tile
  const Layout* layout;
  std::vector<V> starts;
  std::vector<ir::ValueId> start_ids;
  V origin = nullptr;  // index of the slice's first element in the buffer
  bool may_reach_out = false, may_be_unaligned = false;  // as far as is known

  std::size_t rank() const { return shape->size(); }
};

Emitter::Slice Emitter::slice(const ir::Op& op, ir::ValueId tile, std::size_t first_index) {
  Slice slice{op.operands[0], type(op.operands[0]).element, &type(tile).shape, &layout(tile), {}, {}, nullptr};
  slice.origin = flat_index(slice.buffer, op.operands, first_index);
  slice.start_ids.assign(op.operands.begin() + static_cast<std::ptrdiff_t>(first_index), op.operands.end());
  for (const ir::ValueId start : slice.start_ids) slice.starts.push_back(as_i64(start));
  return slice;
}

namespace {

// The indices along the leading axes of a row, outermost first.
std::vector<Value*> row_indices(Builder& b, const ir::Shape& shape, Value* row) {
  std::vector<Value*> indices(shape.size() - 1);
  for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
    Value* extent = b.getInt32(static_cast<std::uint32_t>(shape[axis]));
    indices[axis] = axis == 0 ? row : b.CreateURem(row, extent);
    if (axis > 0) row = b.CreateUDiv(row, extent);
  }
  return indices;
}

std::int64_t vector_bytes(const Layout& layout, ScalarType element) { return layout.vector() * size_of(element); }

}  // namespace

Value* Emitter::fast_path(Slice& slice) {
  V fast = b_.getTrue();
  for (std::size_t axis = 0; axis < slice.rank(); ++axis)
    if (V holds = inside(slice.buffer, axis, slice.start_ids[axis], (*slice.shape)[axis])) {
      slice.may_reach_out = true;
      fast = both(fast, holds);
    }
  if (slice.layout->vector() == 1) return fast;
  const std::int64_t bytes = std::min<std::int64_t>(16, vector_bytes(*slice.layout, slice.element));
  V holds = aligned(slice.buffer, slice.start_ids, bytes, slice.layout->rows.extent == 1 ? slice.origin : nullptr);
  slice.may_be_unaligned = holds != nullptr;
  return both(fast, holds);
}

// Whether `count` elements from `start` on lie inside, which matters only where `whether` holds; null where that is known.
Value* Emitter::inside(ir::ValueId buffer, std::size_t axis, ir::ValueId start, std::int64_t count, ir::ValueId whether) {
  V holds = nullptr;
  if (!facts_.never_negative(start)) holds = b_.CreateICmpSGE(as_i64(start), i64(0));
  const std::int64_t most = type(buffer).shape[axis];
  if (!(whether.valid() ? facts_.fits_where(whether, start, count, most) : facts_.fits(start, count, most)))
    holds = both(holds, b_.CreateICmpSLE(as_i64(start), b_.CreateSub(extent(buffer, axis), i64(count))));
  return holds;
}

// Whether a slice's first element, and that of each of its rows, lies at a multiple of `bytes`; null where that is known. `only`: the
// index of its first element, where it has one row.
Value* Emitter::aligned(ir::ValueId buffer, const std::vector<ir::ValueId>& starts, std::int64_t bytes, V only) {
  const ir::Type& tensor = type(buffer);
  const std::int64_t unit = bytes / std::min<std::int64_t>(bytes, size_of(tensor.element));
  const bool rows = tensor.rank() == 1 || facts_.extent_divisor(tensor.shape.back()) % unit == 0;
  const bool start = facts_.multiple(starts.back(), unit);
  if (rows && start) return nullptr;
  V bits = rows ? as_i64(starts.back()) : only;
  if (!bits) bits = extent(buffer, tensor.shape.size() - 1);
  if (!rows && !only && !start) bits = b_.CreateOr(bits, as_i64(starts.back()));
  return b_.CreateICmpEQ(b_.CreateAnd(bits, i64(unit - 1)), i64(0));
}

namespace {

// Index of a row's first element, less the slice's origin.
template <class Stride>
Value* row_offset(Builder& b, const std::vector<Value*>& indices, const Stride& stride) {
  Value* offset = b.getInt64(0);
  for (std::size_t axis = 0; axis < indices.size(); ++axis)
    offset = b.CreateAdd(offset, b.CreateMul(b.CreateZExt(indices[axis], b.getInt64Ty()), stride(axis)));
  return offset;
}

}  // namespace

Parts Emitter::load_fast(const Slice& slice) {
  const Layout& layout = *slice.layout;
  const auto strides = [&](std::size_t axis) { return stride(slice.buffer, axis); };
  llvm::Type* element = memory_type(context_, slice.element);
  const auto width = static_cast<unsigned>(layout.vector());
  llvm::Type* loaded = width == 1 ? element : llvm::FixedVectorType::get(element, width);
  const llvm::Align alignment(static_cast<std::uint64_t>(std::min<std::int64_t>(16, vector_bytes(layout, slice.element))));
  Parts tile;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    V at_row = b_.CreateAdd(slice.origin, row_offset(b_, row_indices(b_, *slice.shape, row(layout, i)), strides));
    for (std::int64_t j = 0; j < layout.columns.slot_count(); j += layout.vector()) {
      V at = b_.CreateAdd(at_row, b_.CreateZExt(column(layout, j), b_.getInt64Ty()));
      // Past the last row or column a slot holds anything: what the slice begins with, which is there.
      if (V valid = both(row_valid(layout, i), column_valid(layout, j))) at = b_.CreateSelect(valid, at, slice.origin);
      V value = b_.CreateAlignedLoad(loaded, address(slice.buffer, at), alignment);
      for (unsigned k = 0; k < width; ++k)
        tile.push_back(loaded_value(width == 1 ? value : b_.CreateExtractElement(value, k), slice.element));
    }
  }
  return tile;
}

void Emitter::store_fast(const Slice& slice, const Parts& tile) {
  const Layout& layout = *slice.layout;
  const auto strides = [&](std::size_t axis) { return stride(slice.buffer, axis); };
  llvm::Type* element = memory_type(context_, slice.element);
  const auto width = static_cast<unsigned>(layout.vector());
  const llvm::Align alignment(static_cast<std::uint64_t>(std::min<std::int64_t>(16, vector_bytes(layout, slice.element))));
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    V at_row = b_.CreateAdd(slice.origin, row_offset(b_, row_indices(b_, *slice.shape, row(layout, i)), strides));
    for (std::int64_t j = 0; j < layout.columns.slot_count(); j += layout.vector()) {
      V pointer = address(slice.buffer, b_.CreateAdd(at_row, b_.CreateZExt(column(layout, j), b_.getInt64Ty())));
      V value = memory_value(tile[index(layout, i, j)], slice.element);
      if (width > 1) {
        V all = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, width));
        for (unsigned k = 0; k < width; ++k)
          all = b_.CreateInsertElement(all, memory_value(tile[index(layout, i, j + k)], slice.element), k);
        value = all;
      }
      const auto store = [&] { b_.CreateAlignedStore(value, pointer, alignment); };
      if (V valid = both(row_valid(layout, i), column_valid(layout, j))) guarded(valid, store);
      else store();
    }
  }
}

Parts Emitter::load_masked(const Slice& slice) {
  const Layout& layout = *slice.layout;
  const auto strides = [&](std::size_t axis) { return stride(slice.buffer, axis); };
  const std::size_t last = slice.rank() - 1;
  Parts tile;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    const std::vector<V> indices = row_indices(b_, *slice.shape, row(layout, i));
    V at_row = b_.CreateAdd(slice.origin, row_offset(b_, indices, strides));
    V inside_row = row_valid(layout, i);
    for (std::size_t axis = 0; axis < last; ++axis) {
      V along = b_.CreateAdd(slice.starts[axis], b_.CreateZExt(indices[axis], b_.getInt64Ty()));
      inside_row = both(inside_row, b_.CreateICmpULT(along, extent(slice.buffer, axis)));
    }
    for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
      V c = b_.CreateZExt(column(layout, j), b_.getInt64Ty());
      V inside = both(inside_row, column_valid(layout, j));
      inside = both(inside, b_.CreateICmpULT(b_.CreateAdd(slice.starts[last], c), extent(slice.buffer, last)));
      V pointer = address(slice.buffer, b_.CreateAdd(at_row, c));
      V value = target_.masked_load(memory_type(context_, slice.element), pointer, inside, constant_memory(slice.buffer));
      tile.push_back(loaded_value(value, slice.element));
    }
  }
  return tile;
}

void Emitter::store_masked(const Slice& slice, const Parts& tile) {
  const Layout& layout = *slice.layout;
  const auto strides = [&](std::size_t axis) { return stride(slice.buffer, axis); };
  const std::size_t last = slice.rank() - 1;
  for (std::int64_t i = 0; i < layout.rows.slot_count(); ++i) {
    const std::vector<V> indices = row_indices(b_, *slice.shape, row(layout, i));
    V at_row = b_.CreateAdd(slice.origin, row_offset(b_, indices, strides));
    V inside_row = row_valid(layout, i);
    for (std::size_t axis = 0; axis < last; ++axis) {
      V along = b_.CreateAdd(slice.starts[axis], b_.CreateZExt(indices[axis], b_.getInt64Ty()));
      inside_row = both(inside_row, b_.CreateICmpULT(along, extent(slice.buffer, axis)));
    }
    for (std::int64_t j = 0; j < layout.columns.slot_count(); ++j) {
      V c = b_.CreateZExt(column(layout, j), b_.getInt64Ty());
      V inside = both(inside_row, column_valid(layout, j));
      inside = both(inside, b_.CreateICmpULT(b_.CreateAdd(slice.starts[last], c), extent(slice.buffer, last)));
      target_.masked_store(memory_value(tile[index(layout, i, j)], slice.element), address(slice.buffer, b_.CreateAdd(at_row, c)),
                           inside);
    }
  }
}

// `fast` is when the plain way is taken.
void Emitter::note_copy(const Slice& slice, V fast, bool store) {
  const Layout& layout = *slice.layout;
  const std::int64_t bytes = std::min<std::int64_t>(16, vector_bytes(layout, slice.element));
  Decision made;
  made.kind = Decision::Kind::Copy;
  made.what = fmt::format("{} {}", store ? "store to" : "load of", slice_text(slice.buffer, *slice.shape));
  const std::string plain = fmt::format("{} bytes at a time", bytes);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(fast);
  if (known && known->isOne()) {
    made.path = plain;
  } else {
    made.masked = true;
    made.path = fmt::format("{} where it {}{}{}, else element by element, masked", plain, slice.may_reach_out ? "lies inside" : "",
                            slice.may_reach_out && slice.may_be_unaligned ? " and " : "", slice.may_be_unaligned ? "is aligned" : "");
    made.reason = "where it lies is known when the kernel runs";
  }
  if (bytes < 16) made.reason += fmt::format("{}a thread's part of a row is {} bytes", made.reason.empty() ? "" : "; ", bytes);
  made.fast = made.reason.empty();
  decide(std::move(made));
}

void Emitter::emit_tile_load(const ir::Op& op) {
  Slice from = slice(op, op.results[0], 1);
  V fast = fast_path(from);
  note_copy(from, fast, false);
  if (from.layout->slots() == 1 && from.may_reach_out) fast = b_.getFalse();  // one access, under a mask
  if (const auto lie = lies_.find(&op); lie != lies_.end()) fast = b_.getInt1(lie->second == Lie::Whole);
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(fast))
    return define(op, known->isOne() ? load_fast(from) : load_masked(from));
  auto* plain = llvm::BasicBlock::Create(context_, "inside", function_);
  auto* ragged = llvm::BasicBlock::Create(context_, "ragged", function_);
  Join merge = join("loaded");
  b_.CreateCondBr(fast, plain, ragged);
  b_.SetInsertPoint(plain);
  jump(merge, load_fast(from));
  b_.SetInsertPoint(ragged);
  jump(merge, load_masked(from));
  define(op, arrive(merge, {op.results[0]}));
}

void Emitter::emit_tile_store(const ir::Op& op) {
  if (stores_boxes(op)) return emit_box_store(op);
  Slice to = slice(op, op.operands[1], 2);
  V fast = fast_path(to);
  note_copy(to, fast, true);
  if (to.layout->slots() == 1 && to.may_reach_out) fast = b_.getFalse();
  if (const auto lie = lies_.find(&op); lie != lies_.end()) fast = b_.getInt1(lie->second == Lie::Whole);
  const Parts& tile = parts(op.operands[1]);
  if (V owns = owner(*to.layout)) guarded(owns, [&] { store_slice(to, tile, fast); });
  else store_slice(to, tile, fast);
}

void Emitter::store_slice(const Slice& to, const Parts& tile, V fast) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(fast)) return known->isOne() ? store_fast(to, tile) : store_masked(to, tile);
  auto* plain = llvm::BasicBlock::Create(context_, "inside", function_);
  auto* ragged = llvm::BasicBlock::Create(context_, "ragged", function_);
  Join merge = join("stored");
  b_.CreateCondBr(fast, plain, ragged);
  b_.SetInsertPoint(plain);
  store_fast(to, tile);
  jump(merge, {});
  b_.SetInsertPoint(ragged);
  store_masked(to, tile);
  jump(merge, {});
  arrive(merge, {});
}

}  // namespace phobos::nvptx
