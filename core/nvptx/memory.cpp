// Accesses of single threads, and what the CTA does once: atomics, acquire and release, the barrier of the grid.
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
  return type(buffer).space == ir::Type::Space::Global && !accesses_.written(buffer);
}

Value* Emitter::load_element(V pointer, ScalarType element) {
  return loaded_value(b_.CreateAlignedLoad(memory_type(context_, element), pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element)))), element);
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
  define(op, load_element(address(op.operands[0], flat_index(op.operands[0], op.operands, 1)), type(op.operands[0]).element));
}

void Emitter::emit_store(const ir::Op& op) {
  store_element(scalar(op.operands[1]), address(op.operands[0], flat_index(op.operands[0], op.operands, 2)), type(op.operands[0]).element);
}

std::vector<Emitter::RunAccess> Emitter::run_accesses(const ir::Op& op, ir::ValueId buffer, std::size_t first_index, std::int64_t length) {
  const auto along = static_cast<std::size_t>(op.immediate);
  V common = nullptr;
  for (std::size_t axis = 0; first_index + axis < op.operands.size(); ++axis)
    if (axis != along) common = both(common, b_.CreateICmpULT(as_i64(op.operands[first_index + axis]), extent(buffer, axis)));
  V start = as_i64(op.operands[first_index + along]);
  V index = flat_index(buffer, op.operands, first_index);
  std::vector<RunAccess> accesses;
  for (std::int64_t i = 0; i < length; ++i) {
    V inside = b_.CreateICmpULT(b_.CreateAdd(start, i64(i)), extent(buffer, along));
    accesses.push_back({b_.CreateAdd(index, b_.CreateMul(i64(i), stride(buffer, along))), both(common, inside)});
  }
  return accesses;
}

void Emitter::emit_run_load(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  Parts run;
  for (const RunAccess& access : run_accesses(op, op.operands[0], 1, type(op.results[0]).shape[0])) {
    V value = target_.masked_load(memory_type(context_, element), address(op.operands[0], access.index), access.mask, constant_memory(op.operands[0]));
    run.push_back(loaded_value(value, element));
  }
  define(op, std::move(run));
}

void Emitter::emit_run_store(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  const Parts& run = parts(op.operands[1]);
  std::size_t i = 0;
  for (const RunAccess& access : run_accesses(op, op.operands[0], 2, static_cast<std::int64_t>(run.size())))
    target_.masked_store(memory_value(run[i++], element), address(op.operands[0], access.index), access.mask);
}

void Emitter::emit_elem_load(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  V index = as_i64(op.operands[1]);
  Parts values;
  for (std::size_t i = 0; i < part_count(type(op.results[0])); ++i)
    values.push_back(load_element(address(op.operands[0], b_.CreateAdd(index, i64(static_cast<std::int64_t>(i)))), element));
  define(op, std::move(values));
}

void Emitter::emit_elem_store(const ir::Op& op) {
  V index = as_i64(op.operands[2]);
  const Parts& values = parts(op.operands[1]);
  for (std::size_t i = 0; i < values.size(); ++i)
    store_element(values[i], address(op.operands[0], b_.CreateAdd(index, i64(static_cast<std::int64_t>(i)))), type(op.operands[0]).element);
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
    auto* load = b_.CreateAlignedLoad(type_of(context_, element), pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element))));
    load->setAtomic(AtomicOrdering::Acquire, context_.getOrInsertSyncScopeID("device"));
    return load;
  }));
}

void Emitter::emit_store_release(const ir::Op& op) {
  const ScalarType element = type(op.operands[0]).element;
  V pointer = address(op.operands[0], as_i64(op.operands[1]));
  barrier();  // what the other threads wrote is released with it
  guarded(b_.CreateICmpEQ(thread_, i32(0)), [&] {
    auto* store = b_.CreateAlignedStore(scalar(op.operands[2]), pointer, llvm::Align(static_cast<std::uint64_t>(size_of(element))));
    store->setAtomic(AtomicOrdering::Release, context_.getOrInsertSyncScopeID("device"));
  });
  pending_[op.operands[0]] |= CtaWrite;
}

// bar[0] counts the CTAs that have come, bar[1] is the phase. The last to come resets the count and turns the phase; the others wait
// for that. The phase is read before coming, so it cannot turn unseen.
void Emitter::emit_grid_barrier(const ir::Op& op) {
  const auto scope = context_.getOrInsertSyncScopeID("device");
  V count = scalar(op.operands[0]);
  V phase = address(op.operands[0], i64(1));
  const llvm::Align alignment(4);
  const auto load_phase = [&](AtomicOrdering order) {
    auto* load = b_.CreateAlignedLoad(b_.getInt32Ty(), phase, alignment);
    load->setAtomic(order, scope);
    return load;
  };
  const auto store = [&](V value, V pointer, AtomicOrdering order) {
    b_.CreateAlignedStore(value, pointer, alignment)->setAtomic(order, scope);
  };
  barrier();
  guarded(b_.CreateICmpEQ(thread_, i32(0)), [&] {
    V before = load_phase(AtomicOrdering::Monotonic);
    target_.fence();
    V come = b_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, count, i32(1), alignment, AtomicOrdering::AcquireRelease, scope);
    V all = b_.CreateMul(b_.CreateMul(target_.blocks(0), target_.blocks(1)), target_.blocks(2));
    auto* last = llvm::BasicBlock::Create(context_, "last", function_);
    auto* wait = llvm::BasicBlock::Create(context_, "wait", function_);
    auto* done = llvm::BasicBlock::Create(context_, "done", function_);
    b_.CreateCondBr(b_.CreateICmpEQ(come, b_.CreateSub(all, i32(1))), last, wait);
    b_.SetInsertPoint(last);
    store(i32(0), count, AtomicOrdering::Monotonic);
    store(b_.CreateXor(before, i32(1)), phase, AtomicOrdering::Release);
    b_.CreateBr(done);
    b_.SetInsertPoint(wait);
    b_.CreateCondBr(b_.CreateICmpEQ(load_phase(AtomicOrdering::Acquire), before), wait, done);
    b_.SetInsertPoint(done);
    target_.fence();
  });
  barrier();
}

}  // namespace phobos::nvptx
