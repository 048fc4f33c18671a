// Accesses of single threads, and what the CTA does once: atomics, acquire and release, the barrier of the grid.
#include <algorithm>

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include "emitter.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::AtomicOrdering;
using llvm::Value;

Value* Emitter::extent(ir::ValueId buffer, std::size_t axis) {
  const std::int64_t extent = type(buffer).shape[axis];
  return ir::is_dynamic(extent) ? dimensions_[ir::dimension_of(extent)] : i64(extent);
}

Value* Emitter::stride(ir::ValueId buffer, std::size_t axis) {
  V& known = strides_[{buffer.value, axis}];
  if (known) return known;
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_->getTerminator());
  V product = i64(1);
  for (std::size_t i = axis + 1; i < type(buffer).shape.size(); ++i) product = b_.CreateMul(product, extent(buffer, i));
  return known = product;
}

bool Emitter::constant_memory(ir::ValueId buffer) const {
  return type(buffer).space == ir::Type::Space::Global && accesses_.constant(buffer);
}

Value* Emitter::load_element(V pointer, ScalarType element) {
  return loaded_value(
      b_.CreateAlignedLoad(memory_type(context_, element), pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element)))),
      element);
}

void Emitter::store_element(V value, V pointer, ScalarType element) {
  b_.CreateAlignedStore(memory_value(value, element), pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element))));
}

Value* Emitter::flat_index(ir::ValueId buffer, const std::vector<ir::ValueId>& operands, std::size_t from) {
  V index = i64(0);
  for (std::size_t axis = 0; from + axis < operands.size(); ++axis)
    index = b_.CreateAdd(index, b_.CreateMul(as_i64(operands[from + axis]), stride(buffer, axis)));
  return index;
}

void Emitter::emit_load(const ir::Op& op) {
  check_point(op, 1);
  define(op, load_element(address(op.operands[0], flat_index(op.operands[0], op.operands, 1)), type(op.operands[0]).element));
}

void Emitter::emit_store(const ir::Op& op) {
  check_point(op, 2);
  store_element(scalar(op.operands[1]), address(op.operands[0], flat_index(op.operands[0], op.operands, 2)),
                type(op.operands[0]).element);
}

// The elements of a run, at `step` elements from one to the next; `inside` holds for those that are in the buffer.
struct Emitter::Run {
  ir::ValueId buffer;
  ScalarType element;
  V first;               // index of the first
  V step;
  std::vector<V> inside;  // null: holds
  V whole = nullptr;     // all are inside and follow each other; null: holds
  bool vector = false;   // may be accessed at once where aligned
  bool aligned = false;  // it is
};

namespace {

bool vector_length(std::int64_t length, ScalarType element) {
  return length > 1 && (length & (length - 1)) == 0 && length * size_of(element) <= 16;
}

}  // namespace

// Whether an index lies inside; null where that is known.
Value* Emitter::within(ir::ValueId buffer, std::size_t axis, ir::ValueId index) {
  if (facts_.never_negative(index) && facts_.fits(index, 1, type(buffer).shape[axis])) return nullptr;
  return b_.CreateICmpULT(as_i64(index), extent(buffer, axis));
}

Emitter::Run Emitter::slice_run(const ir::Op& op, std::size_t first_index, std::int64_t length) {
  const ir::ValueId buffer = op.operands[0];
  const auto along = static_cast<std::size_t>(op.immediate);
  Run run{buffer, type(buffer).element, flat_index(buffer, op.operands, first_index), stride(buffer, along), {}, nullptr, false, false};
  V common = nullptr;
  for (std::size_t axis = 0; first_index + axis < op.operands.size(); ++axis)
    if (axis != along) common = both(common, within(buffer, axis, op.operands[first_index + axis]));
  const ir::ValueId start = op.operands[first_index + along];
  run.vector = along + 1 == type(buffer).shape.size() && vector_length(length, run.element);
  if (run.vector) {
    const std::vector<ir::ValueId> starts(op.operands.begin() + static_cast<std::ptrdiff_t>(first_index), op.operands.end());
    run.aligned = !aligned(buffer, starts, length * size_of(run.element), run.first);
  }
  if (facts_.never_negative(start) && facts_.fits(start, length, type(buffer).shape[along])) {
    run.inside.assign(static_cast<std::size_t>(length), common);
    run.whole = common;
    return run;
  }
  for (std::int64_t i = 0; i < length; ++i)
    run.inside.push_back(both(common, b_.CreateICmpULT(b_.CreateAdd(as_i64(start), i64(i)), extent(buffer, along))));
  run.whole = both(run.inside.front(), run.inside.back());
  return run;
}

// Of the elements in row-major order. A run is masked; what is one element is a point, whose place is the program's affair.
Emitter::Run Emitter::flat_run(ir::ValueId buffer, ir::ValueId index, const ir::Type& type) {
  const ScalarType element = this->type(buffer).element;
  const std::int64_t length = type.is_run() ? type.shape[0] : 1;
  const std::vector<std::int64_t>& shape = this->type(buffer).shape;
  Run run{buffer, element, as_i64(index), i64(1), std::vector<V>(static_cast<std::size_t>(length), nullptr), nullptr, vector_length(length, element), facts_.multiple(index, length)};
  if (!type.is_run()) return run;
  const bool known = shape.size() == 1 || std::none_of(shape.begin(), shape.end(), ir::is_dynamic);
  if (known && facts_.never_negative(index) && facts_.fits(index, length, shape.size() == 1 ? shape[0] : ir::element_count(shape))) return run;
  V count = b_.CreateMul(extent(buffer, 0), stride(buffer, 0));
  for (std::int64_t i = 0; i < length; ++i)
    run.inside[static_cast<std::size_t>(i)] = b_.CreateICmpULT(b_.CreateAdd(run.first, i64(i)), count);
  run.whole = both(run.inside.front(), run.inside.back());
  return run;
}

Value* Emitter::run_pointer(const Run& run, std::size_t i) {
  return address(run.buffer, b_.CreateAdd(run.first, b_.CreateMul(i64(static_cast<std::int64_t>(i)), run.step)));
}

// Null: it can be in any case.
Value* Emitter::run_at_once(const Run& run) {
  if (run.aligned) return run.whole;
  const auto bytes = static_cast<std::int64_t>(run.inside.size()) * size_of(run.element);
  V bits = b_.CreatePtrToInt(run_pointer(run, 0), b_.getInt64Ty());
  return both(run.whole, b_.CreateICmpEQ(b_.CreateAnd(bits, i64(bytes - 1)), i64(0)));
}

// `at_once`: when it is one access; null: always, if it is a vector at all.
void Emitter::note_run(const Run& run, V at_once, bool store) {
  const auto length = static_cast<std::int64_t>(run.inside.size());
  if (length == 1) return;
  const bool inside = !run.inside.front();
  Decision made;
  made.kind = Decision::Kind::Copy;
  made.what = fmt::format("{} a thread's run {}", store ? "store of" : "load of", slice_text(run.buffer, {length}));
  made.masked = !inside && (at_once || !run.vector);
  made.fast = run.vector && !at_once;
  if (run.vector) {
    made.path = fmt::format("{} bytes at once", length * size_of(run.element));
    if (at_once) {
      made.path += fmt::format(" where it {}{}{}, else element by element", run.aligned ? "" : "is aligned", run.aligned || inside ? "" : " and ", inside ? "" : "lies inside");
      made.reason = "where it lies is known when the kernel runs";
    }
  } else {
    made.path = "element by element";
    made.reason = vector_length(length, run.element) ? "its elements do not follow each other in memory"
                                                     : fmt::format("{} elements of {} are no vector of up to 16 bytes", length, phobos::name_of(run.element));
  }
  decide(std::move(made));
}

Parts Emitter::load_run(const Run& run, const std::vector<ir::ValueId>& results) {
  V at_once = run.vector ? run_at_once(run) : nullptr;
  note_run(run, at_once, false);
  llvm::Type* element = memory_type(context_, run.element);
  const auto single = [&] {
    Parts values;
    for (std::size_t i = 0; i < run.inside.size(); ++i) {
      V pointer = run_pointer(run, i);
      values.push_back(
          !run.inside[i]
              ? load_element(pointer, run.element)
              : loaded_value(target_.masked_load(element, pointer, run.inside[i], constant_memory(run.buffer)), run.element));
    }
    return values;
  };
  const auto vector = [&] {
    const auto length = static_cast<unsigned>(run.inside.size());
    V all = b_.CreateAlignedLoad(llvm::FixedVectorType::get(element, length), run_pointer(run, 0),
                                 llvm::Align(length * static_cast<std::uint64_t>(size_of(run.element))));
    Parts values;
    for (unsigned i = 0; i < length; ++i) values.push_back(loaded_value(b_.CreateExtractElement(all, i), run.element));
    return values;
  };
  if (!run.vector) return single();
  if (!at_once) return vector();
  auto* plain = llvm::BasicBlock::Create(context_, "vector", function_);
  auto* ragged = llvm::BasicBlock::Create(context_, "ragged", function_);
  Join merge = join("loaded");
  b_.CreateCondBr(at_once, plain, ragged);
  b_.SetInsertPoint(plain);
  jump(merge, vector());
  b_.SetInsertPoint(ragged);
  jump(merge, single());
  return arrive(merge, results);
}

void Emitter::store_run(const Run& run, const Parts& values) {
  V at_once = run.vector ? run_at_once(run) : nullptr;
  note_run(run, at_once, true);
  const auto single = [&] {
    for (std::size_t i = 0; i < run.inside.size(); ++i) {
      V pointer = run_pointer(run, i);
      if (run.inside[i]) target_.masked_store(memory_value(values[i], run.element), pointer, run.inside[i]);
      else store_element(values[i], pointer, run.element);
    }
  };
  const auto vector = [&] {
    const auto length = static_cast<unsigned>(run.inside.size());
    V all = llvm::PoisonValue::get(llvm::FixedVectorType::get(memory_type(context_, run.element), length));
    for (unsigned i = 0; i < length; ++i) all = b_.CreateInsertElement(all, memory_value(values[i], run.element), i);
    b_.CreateAlignedStore(all, run_pointer(run, 0), llvm::Align(length * static_cast<std::uint64_t>(size_of(run.element))));
  };
  if (!run.vector) return single();
  if (!at_once) return vector();
  auto* plain = llvm::BasicBlock::Create(context_, "vector", function_);
  auto* ragged = llvm::BasicBlock::Create(context_, "ragged", function_);
  Join merge = join("stored");
  b_.CreateCondBr(at_once, plain, ragged);
  b_.SetInsertPoint(plain);
  vector();
  jump(merge, {});
  b_.SetInsertPoint(ragged);
  single();
  jump(merge, {});
  arrive(merge, {});
}

void Emitter::emit_run_load(const ir::Op& op) {
  define(op, load_run(slice_run(op, 1, type(op.results[0]).shape[0]), op.results));
}

void Emitter::emit_run_store(const ir::Op& op) {
  const Parts& values = parts(op.operands[1]);
  store_run(slice_run(op, 2, static_cast<std::int64_t>(values.size())), values);
}

void Emitter::emit_elem_load(const ir::Op& op) {
  if (!type(op.results[0]).is_run()) check_element(op, op.operands[1]);
  define(op, load_run(flat_run(op.operands[0], op.operands[1], type(op.results[0])), op.results));
}

void Emitter::emit_elem_store(const ir::Op& op) {
  if (!type(op.operands[1]).is_run()) check_element(op, op.operands[2]);
  store_run(flat_run(op.operands[0], op.operands[2], type(op.operands[1])), parts(op.operands[1]));
}

Value* Emitter::once(ScalarType type, const std::function<V()>& compute) {
  begin_exchange();
  V slot = exchange(0, 8);
  guarded(b_.CreateICmpEQ(thread_, i32(0)), [&] { store_element(compute(), slot, type); });
  end_writes();
  V value = load_element(slot, type);
  end_exchange();
  return value;
}

void Emitter::emit_atomic(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  const auto kind = static_cast<ir::AtomicOp>(op.immediate);
  V pointer = address(op.operands[0], as_i64(op.operands[1]));
  V operand = scalar(op.operands[2]);
  const llvm::Align alignment(static_cast<std::uint64_t>(size_of(element)));
  const auto scope = context_.getOrInsertSyncScopeID("device");
  if (size_of(element) < 4 || (element == ScalarType::F64 && kind != ir::AtomicOp::Add && kind != ir::AtomicOp::Exchange) ||
      (element == ScalarType::F32 && (kind == ir::AtomicOp::Max || kind == ir::AtomicOp::Min)))
    return fail(op, std::string("not on tensors of ") + std::string(name_of(element)));
  if (!pending_.empty()) barrier();
  V old = once(element, [&]() -> V {
    check_element(op, op.operands[1]);
    if (kind == ir::AtomicOp::CompareExchange) {
      llvm::Type* bits = b_.getIntNTy(static_cast<unsigned>(bits_of(element)));
      V compare = b_.CreateBitCast(scalar(op.operands[3]), bits);
      V pair = b_.CreateAtomicCmpXchg(pointer, compare, b_.CreateBitCast(operand, bits), alignment, AtomicOrdering::Monotonic,
                                      AtomicOrdering::Monotonic, scope);
      return b_.CreateBitCast(b_.CreateExtractValue(pair, 0), type_of(context_, element));
    }
    using Rmw = llvm::AtomicRMWInst;
    Rmw::BinOp operation = Rmw::Xchg;
    if (kind == ir::AtomicOp::Add) operation = is_float(element) ? Rmw::FAdd : Rmw::Add;
    if (kind == ir::AtomicOp::Max) operation = Rmw::Max;
    if (kind == ir::AtomicOp::Min) operation = Rmw::Min;
    return b_.CreateAtomicRMW(operation, pointer, operand, alignment, AtomicOrdering::Monotonic, scope);
  });
  if (!op.results.empty()) define(op, old);
}

void Emitter::emit_load_acquire(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  V pointer = address(op.operands[0], as_i64(op.operands[1]));
  define(op, once(element, [&]() -> V {
           check_element(op, op.operands[1]);
           auto* load = b_.CreateAlignedLoad(memory_type(context_, element), pointer,
                                             llvm::Align(static_cast<std::uint64_t>(size_of(element))));
           load->setAtomic(AtomicOrdering::Acquire, context_.getOrInsertSyncScopeID("device"));
           return loaded_value(load, element);
         }));
}

void Emitter::emit_store_release(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  V pointer = address(op.operands[0], as_i64(op.operands[1]));
  barrier();  // what the other threads wrote is released with it
  guarded(b_.CreateICmpEQ(thread_, i32(0)), [&] {
    check_element(op, op.operands[1]);
    V value = memory_value(scalar(op.operands[2]), element);
    auto* store = b_.CreateAlignedStore(value, pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element))));
    store->setAtomic(AtomicOrdering::Release, context_.getOrInsertSyncScopeID("device"));
  });
  pending_[op.operands[0]] |= CtaWrite;
}

// bar[0] counts the CTAs that are inside, bar[1] says that all have come. The last to come says so, and the last to go takes it back:
// both words are 0 then, as they were before. A CTA that comes to the next use waits for that first.
void Emitter::emit_grid_barrier(const ir::Op& op) {
  const auto scope = context_.getOrInsertSyncScopeID("device");
  V count = scalar(op.operands[0]);
  V all_here = address(op.operands[0], i64(1));
  const llvm::Align alignment(4);
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, function_); };
  const auto say = [&](int value) { b_.CreateAlignedStore(i32(value), all_here, alignment)->setAtomic(AtomicOrdering::Release, scope); };
  const auto change = [&](llvm::AtomicRMWInst::BinOp by) {
    return b_.CreateAtomicRMW(by, count, i32(1), alignment, AtomicOrdering::AcquireRelease, scope);
  };
  const auto wait_until = [&](int value) {
    auto *again = block("again"), *done = block("done");
    b_.CreateBr(again);
    b_.SetInsertPoint(again);
    auto* load = b_.CreateAlignedLoad(b_.getInt32Ty(), all_here, alignment);
    load->setAtomic(AtomicOrdering::Acquire, scope);
    b_.CreateCondBr(b_.CreateICmpEQ(load, i32(value)), done, again);
    b_.SetInsertPoint(done);
  };
  const auto say_if = [&](V condition, int value) {
    auto *last = block("last"), *after = block("after");
    b_.CreateCondBr(condition, last, after);
    b_.SetInsertPoint(last);
    say(value);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  };
  barrier();
  guarded(b_.CreateICmpEQ(thread_, i32(0)), [&] {
    target_.fence();
    wait_until(0);
    V all = b_.CreateMul(b_.CreateMul(target_.blocks(0), target_.blocks(1)), target_.blocks(2));
    say_if(b_.CreateICmpEQ(change(llvm::AtomicRMWInst::Add), b_.CreateSub(all, i32(1))), 1);
    wait_until(1);
    say_if(b_.CreateICmpEQ(change(llvm::AtomicRMWInst::Sub), i32(1)), 0);
    target_.fence();
  });
  barrier();
}

}  // namespace phobos::nvptx
