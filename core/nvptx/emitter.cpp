#include "emitter.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <llvm/IR/Verifier.h>

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

namespace {

constexpr std::int64_t static_limit = 48 * 1024;

// Names that are taken: by PTX, and by the device's printf.
std::string entry_name(const std::string& kernel) {
  constexpr std::string_view taken[] = {"_", "WARP_SZ", "vprintf"};
  return std::find(std::begin(taken), std::end(taken), kernel) == std::end(taken) ? kernel : kernel + "_kernel";
}

std::int64_t align(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

}  // namespace

Emitter::Emitter(const ir::Kernel& kernel, llvm::Module& module, const Options& options, const Chip& chip, SourcePlaces* places, const passes::BulkPlan* bulk)
    : kernel_(kernel),
      options_(options),
      module_(module),
      context_(module.getContext()),
      b_(context_),
      chip_(chip),
      target_(module, b_, chip, band_of(kernel)),
      math_(target_, b_),
      layouts_(kernel, chip_),
      accesses_(kernel, [this](const ir::Op& op) { return exchanges(op); }),
      facts_(kernel),
      plan_(kernel, bulk ? bulk->shared(kernel) : 0),
      values_(kernel.values.size()),
      shared_bytes_(plan_.bytes()),
      places_of_source_(places),
      bulk_(bulk),
      decisions_(kernel.decisions) {}

Outcome Emitter::run() {
  if (auto refusal = too_large_tile()) return *std::move(refusal);
  declare();
  if (bulk_) emit_roles();
  else if (const ir::Op* end = emit_region(kernel_.body); end != nullptr) b_.CreateRetVoid();
  for (llvm::BasicBlock& block : *function_)
    if (!block.getTerminator()) new llvm::UnreachableInst(context_, &block);
  Compiled compiled;
  compiled.entry = function_->getName().str();
  finish_shared(compiled);
  if (bulk_) compiled.bulk = {compiled.entry, static_cast<int>(bulk_->consumers(kernel_) + passes::BulkPlan::producers), compiled.dynamic_shared_bytes, maps_};
  note_chip();
  note_band();
  compiled.checks = std::move(checks_);
  compiled.decisions = sorted_decisions();
  if (refusal_) return *std::move(refusal_);
  if (exchanged_ && bulk_ && bulk_->teams > 1) return Refusal("internal: teams that take turns would meet in the exchange area");
  if (auto refusal = unmet_pipeline()) return *std::move(refusal);
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(module_, &stream)) return Refusal("internal: the LLVM module is malformed: " + broken);
  return compiled;
}

void Emitter::erase() {
  function_->eraseFromParent();
  if (shared_->use_empty()) shared_->eraseFromParent();
}

void Emitter::declare() {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const ir::Parameter& parameter : kernel_.parameters)
    types.push_back(parameter.type.is_buffer() ? llvm::PointerType::get(context_, space::global)
                                               : memory_type(context_, parameter.type.element));
  types.append(kernel_.dimensions.size(), b_.getInt64Ty());
  const std::size_t own = types.size();
  if (options_.checked) types.push_back(llvm::PointerType::get(context_, space::global));
  const std::int64_t threads = bulk_ ? bulk_->consumers(kernel_) + passes::BulkPlan::producers : kernel_.threads;
  if (bulk_) {
    declare_maps();
    types.append(maps_.size(), b_.getPtrTy());
    types.append(3, b_.getInt32Ty());
  }
  function_ = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), types, false), llvm::Function::ExternalLinkage,
                                     entry_name(kernel_.name) + (bulk_ ? "_bulk" : ""), module_);
  function_->setCallingConv(llvm::CallingConv::PTX_Kernel);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  function_->setConvergent();
  function_->addFnAttr("nvvm.maxntid", std::to_string(threads));
  // Without a number ptxas may give a thread of a large CTA as few as 32 registers, and spill the rest.
  function_->addFnAttr("nvvm.minctasm", std::to_string(kernel_.min_blocks.value_or(1)));
  if (kernel_.max_registers) function_->addFnAttr("nvvm.maxnreg", std::to_string(*kernel_.max_registers));

  entry_ = llvm::BasicBlock::Create(context_, "entry", function_);
  auto* body = llvm::BasicBlock::Create(context_, "body", function_);
  b_.SetInsertPoint(entry_);
  b_.SetInsertPoint(b_.CreateBr(body));
  describe_source();
  thread_ = all_threads_ = target_.thread(static_cast<int>(threads), bulk_ != nullptr);
  if (bulk_ && bulk_->teams > 1) thread_ = b_.CreateURem(all_threads_, i32(kernel_.threads));

  const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
  if (options_.checked) {
    report_ = function_->getArg(static_cast<unsigned>(own));
    report_->setName("phobos.report");
  }
  for (std::size_t i = 0; i < own; ++i) {
    llvm::Argument* argument = function_->getArg(static_cast<unsigned>(i));
    const bool dimension = i >= kernel_.parameters.size();
    argument->setName(dimension ? kernel_.dimensions[i - kernel_.parameters.size()] : kernel_.parameters[i].name);
    if (dimension) dimensions_.push_back(argument);
    Value* value = argument;
    if (!dimension && kernel_.parameters[i].type.is_scalar()) value = loaded_value(argument, kernel_.parameters[i].type.element);
    values_[arguments[i]] = Parts{value};
    if (!dimension && kernel_.parameters[i].type.is_buffer() && accesses_.constant(arguments[i])) {
      argument->addAttr(llvm::Attribute::NoAlias);
      argument->addAttr(llvm::Attribute::ReadOnly);
    }
  }
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    llvm::Argument* map = function_->getArg(static_cast<unsigned>(own + i));
    map->setName(fmt::format("phobos.map.{}", i));
    map->addAttr(llvm::Attribute::getWithByValType(context_, llvm::ArrayType::get(b_.getInt8Ty(), 128)));
    map->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(64)));
    map->addAttr(llvm::Attribute::get(context_, "nvvm.grid_constant"));
    map_arguments_.push_back(map);
  }
  shared_ = new llvm::GlobalVariable(module_, llvm::ArrayType::get(b_.getInt8Ty(), 0), false, llvm::GlobalValue::ExternalLinkage,
                                     nullptr, bulk_ ? "phobos_shared_bulk" : "phobos_shared", nullptr, llvm::GlobalValue::NotThreadLocal, space::shared);
  shared_->setAlignment(llvm::Align(128));
  find_swizzles();
  for (std::uint32_t i = 0; i < kernel_.ops.size(); ++i)
    if (const ir::OpId id(i); plan_.reaches(id) && exchanges(kernel_[id])) least_exchange_ = std::min(least_exchange_, plan_.free_from(id));
  b_.SetInsertPoint(body);
}

// Shared memory is one array. Its size is known now.
void Emitter::finish_shared(Compiled& compiled) {
  const std::int64_t bytes = shared_bytes_;
  if (bytes > chip_.shared_of_cta) {
    refusal_ = too_much_shared();
    return;
  }
  const bool dynamic = bytes > static_limit || bulk_;
  if (bytes == 0) {
    shared_->eraseFromParent();
    return;
  }
  (dynamic ? compiled.dynamic_shared_bytes : compiled.shared_bytes) = static_cast<std::uint32_t>(bytes);
  if (dynamic) return;  // declared without a length: the launch gives it
  auto* type = llvm::ArrayType::get(b_.getInt8Ty(), static_cast<std::uint64_t>(bytes));
  auto* sized = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type), "",
                                         nullptr, llvm::GlobalValue::NotThreadLocal, space::shared);
  sized->setAlignment(shared_->getAlign());
  sized->takeName(shared_);
  shared_->replaceAllUsesWith(sized);
  shared_->eraseFromParent();
}

void Emitter::fail(const ir::Op& op, const std::string& message) {
  if (!refusal_) refusal_.emplace(fmt::format("internal: `{}`: {}", ir::info(op.code).mnemonic, message));
}

// Whether a tile has no parts, being read where it lies.
bool Emitter::in_memory(ir::ValueId value) const {
  const ir::OpId made = kernel_[value].op;
  return made.valid() && kernel_[made].code == Opcode::SharedTile;
}

// Whether an operation moves something through the exchange area: where layouts agree, many need not.
bool Emitter::exchanges(const ir::Op& op) const {
  const auto same = [](const Layout& a, const Layout& b) { return a.rows == b.rows && a.columns == b.columns; };
  switch (op.code) {
    case Opcode::Broadcast: {
      const Layout &from = layout(op.operands[0]), &to = layout(op.results[0]);
      return (from.rows.extent > 1 && from.rows != to.rows) || (from.columns.extent > 1 && from.columns != to.columns);
    }
    case Opcode::Reshape: return !same(layout(op.operands[0]), layout(op.results[0]));
    case Opcode::Dot: return !bulk_ && ((!in_memory(op.operands[0]) && !is_fragment(op)) || !in_memory(op.operands[1]));
    case Opcode::RowFold:
    case Opcode::RowArgMax: {
      const Layout& from = layout(op.operands[0]);
      const std::vector<Digit>& digits = from.columns.threads;
      const bool across = std::any_of(digits.begin(), digits.end(), [](const Digit& digit) { return digit.divisor >= 32; });
      return across || !same(folded(from), layout(op.results[0]));
    }
    case Opcode::Transpose:
    case Opcode::CumSum:
    case Opcode::Atomic:
    case Opcode::LoadAcquire: return true;
    case Opcode::Collective: return ir::collective_scope(op.immediate) == ir::Scope::Thread && kernel_.threads > 32;
    default: return false;
  }
}

std::size_t Emitter::part_count(ir::ValueId value) const {
  if (type(value).is_tile()) return static_cast<std::size_t>(layout(value).slots());
  return type(value).is_run() ? static_cast<std::size_t>(type(value).shape[0]) : 1;
}

llvm::Type* Emitter::part_type(const ir::Type& type) const {
  if (!type.is_buffer()) return type_of(context_, type.element);
  return llvm::PointerType::get(context_, type.space == ir::Type::Space::Shared ? space::shared : space::global);
}

Value* Emitter::as_i64(ir::ValueId index) {
  return b_.CreateIntCast(scalar(index), b_.getInt64Ty(), is_signed(type(index).element));
}

Value* Emitter::memory_value(V value, ScalarType type) {
  return type == ScalarType::Bool ? b_.CreateZExt(value, b_.getInt8Ty()) : value;
}

Value* Emitter::loaded_value(V value, ScalarType type) {
  return type == ScalarType::Bool ? b_.CreateICmpNE(value, b_.getInt8(0)) : value;
}

void Emitter::barrier() {
  target_.barrier();
  pending_.clear();
}

void Emitter::merge_pending(const AccessMap& more) {
  for (const auto& [memory, access] : more) pending_[memory] |= access;
}

// Whether all that a store writes, it writes once, or the same thread again: it is the only one to write that tensor, and what it is told to
// store in other turns of the loops around it lies elsewhere, or in the same place.
bool Emitter::never_overlaps_itself(const ir::Op& store) const {
  if (store.code != Opcode::TileStore || accesses_.writers(store.operands[0]) != 1) return false;
  if (loops_.empty()) return true;
  const ir::Op& outermost = *loops_.front().op;
  const ir::Shape& shape = type(store.operands[1]).shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const ir::ValueId start = store.operands[2 + axis];
    if (!made_inside(kernel_, outermost, start)) continue;
    const auto steps = [&](const Loop& loop) {
      return loop.op->code == Opcode::For && kernel_[loop.op->regions[0]].arguments[0] == start && !made_inside(kernel_, outermost, loop.op->operands[0]) &&
             facts_.of(loop.op->operands[2]).divisor % shape[axis] == 0;
    };
    if (std::none_of(loops_.begin(), loops_.end(), steps)) return false;
  }
  return true;
}

void Emitter::before_access(Memory memory, unsigned access, unsigned harmless) {
  if (memory.valid() && !accesses_.written(memory)) return;
  const bool cta = (access & (CtaRead | CtaWrite)) != 0;
  if (cta) {  // two accesses by threads are the program's own to order
    const auto found = pending_.find(memory);
    const unsigned earlier = (found == pending_.end() ? 0 : found->second) & ~harmless;
    if ((earlier & any_write) != 0 || ((access & any_write) != 0 && earlier != 0)) barrier();
  }
  pending_[memory] |= access;
}

void Emitter::after_access(Memory memory, unsigned access) {
  if ((access & (CtaRead | CtaWrite)) == 0 || !accesses_.written(memory)) return;
  const unsigned later = accesses_.of(memory);
  if ((later & ThreadWrite) != 0 || ((access & any_write) != 0 && (later & ThreadRead) != 0)) barrier();
}

void Emitter::begin_exchange() {
  decide(Decision::Kind::Exchange, std::string(ir::info(current_->code).mnemonic), "through shared memory",
         "what a thread needs here, other threads hold");
  claim(plan_.free_from(current_id_), std::numeric_limits<std::int64_t>::max());
  pending_[Memory()] |= CtaWrite;
}

// What was done to that part of shared memory in its earlier lives has to be over.
void Emitter::claim(std::int64_t from, std::int64_t to) {
  const bool busy = std::any_of(pending_.begin(), pending_.end(), [&](const auto& earlier) {
    const auto [memory, access] = earlier;
    if (access == 0) return false;
    return memory.valid() ? plan_.has(memory) && plan_.of(memory).overlaps(from, to) : to > least_exchange_;
  });
  if (busy) barrier();
}

Value* Emitter::exchange(std::int64_t offset, std::int64_t bytes) {
  exchanged_ = true;
  const std::int64_t at = plan_.free_from(current_id_) + offset;
  if (const std::int64_t end = align(at + bytes, 16); end > shared_bytes_) {
    shared_bytes_ = end;
    largest_exchange_ = current_id_;
  }
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), shared_, static_cast<std::uint64_t>(at));
}

void Emitter::emit(ir::OpId id, const ir::Op& op) {
  locate(op);
  if (!op.regions.empty()) issue_copies();  // once, and not in a turn of a loop further in
  current_ = &op;
  current_id_ = id;
  switch (op.code) {
    case Opcode::For: return emit_for(id, op);
    case Opcode::While: return emit_while(id, op);
    case Opcode::If: return emit_if(op);
    case Opcode::ScopeOp: return emit_scope(id, op);
    default: break;
  }
  const unsigned access = access_of(op.code);
  if (access) before_access(op.operands[0], access, never_overlaps_itself(op) ? unsigned{CtaWrite} : 0);
  emit_value(id, op);
  // Behind what the operation has waited for itself: it reads its operands where they lie after having exchanged the others.
  for (const auto& [ring, how] : ring_accesses(kernel_, op)) pending_[ring] |= how;
  if (access) after_access(op.operands[0], access);
}

void Emitter::emit_value(ir::OpId id, const ir::Op& op) {
  switch (op.code) {
    case Opcode::Constant: return define(op, constant(context_, type(op.results[0]).element, op.immediate, op.real));
    case Opcode::Ctx: {
      V value = nullptr;
      switch (static_cast<ir::CtxValue>(op.immediate)) {
        case ir::CtxValue::Thread: value = thread_; break;
        case ir::CtxValue::Warp: value = b_.CreateLShr(thread_, 5); break;
        case ir::CtxValue::Lane: value = b_.CreateAnd(thread_, 31); break;
        case ir::CtxValue::BlocksX:
        case ir::CtxValue::BlocksY:
        case ir::CtxValue::BlocksZ:
          value = target_.blocks(static_cast<int>(op.immediate) - static_cast<int>(ir::CtxValue::BlocksX));
          break;
        default: value = target_.block(static_cast<int>(op.immediate)); break;
      }
      return define(op, b_.CreateZExt(value, b_.getInt64Ty()));
    }
    case Opcode::Extent: return define(op, extent(op.operands[0], static_cast<std::size_t>(op.immediate)));
    case Opcode::Splat: return emit_splat(op);
    case Opcode::Broadcast: return emit_broadcast(op);
    case Opcode::Reshape: return emit_reshape(op);
    case Opcode::Transpose: return emit_transpose(op);
    case Opcode::Iota: return emit_iota(op);
    case Opcode::Tril: return emit_tril(op);
    case Opcode::Dot: return emit_dot(op);
    case Opcode::SharedTile:
      matrices_[op.results[0].value] = {stage_pointer(op.operands[0], op.operands[1]), type(op.operands[0]).shape[2]};
      return;
    case Opcode::AsyncLoad: return emit_async_load(op);
    case Opcode::Preload: return emit_preload(op);
    case Opcode::AsyncCommit:
      issue_copies();
      return target_.commit_copies();
    case Opcode::AsyncWait:
      target_.wait_for_copies(op.immediate);
      if (!swizzles_.empty()) target_.publish_to_groups();
      return;
    case Opcode::RowFold: return emit_row_fold(op);
    case Opcode::RowArgMax: return emit_row_argmax(op);
    case Opcode::CumSum: return emit_cumsum(op);
    case Opcode::RunFold: return emit_run_fold(op);
    case Opcode::Collective: return emit_collective(op);
    case Opcode::Shuffle: return emit_shuffle(op);
    case Opcode::Alloc: {
      // In a loop it is another buffer at each turn, in the same place.
      const SharedPlan::Place& place = plan_.of(op.results[0]);
      claim(place.offset, place.offset + place.bytes);
      pending_.erase(op.results[0]);
      return define(op, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), shared_, static_cast<std::uint64_t>(place.offset)));
    }
    case Opcode::Load: return emit_load(op);
    case Opcode::Store: return emit_store(op);
    case Opcode::TileLoad: return bulk_ && bulk_->brings(id) ? void() : emit_tile_load(op);  // or read where the copies put it
    case Opcode::TileStore: return emit_tile_store(op);
    case Opcode::RunLoad: return emit_run_load(op);
    case Opcode::RunStore: return emit_run_store(op);
    case Opcode::ElemLoad: return emit_elem_load(op);
    case Opcode::ElemStore: return emit_elem_store(op);
    case Opcode::Print: return emit_print(op);
    case Opcode::Mark: return;  // of a trace
    case Opcode::Barrier: return barrier();
    case Opcode::GridBarrier: return emit_grid_barrier(op);
    case Opcode::Atomic: return emit_atomic(op);
    case Opcode::LoadAcquire: return emit_load_acquire(op);
    case Opcode::StoreRelease: return emit_store_release(op);
    default: return emit_elementwise(op);
  }
}

}  // namespace phobos::nvptx
