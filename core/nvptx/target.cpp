#include "target.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

namespace phobos::nvptx {

using llvm::Intrinsic::ID;
using llvm::Value;

std::string type_name(llvm::Type* type) {
  if (type->isHalfTy()) return "f16";
  if (type->isBFloatTy()) return "bf16";
  if (type->isFloatTy()) return "f32";
  if (type->isDoubleTy()) return "f64";
  if (type->isPointerTy()) return fmt::format("p{}", type->getPointerAddressSpace());
  return fmt::format("i{}", type->getScalarSizeInBits());
}

Value* Target::call(const std::string& name, llvm::Type* result, llvm::ArrayRef<Value*> arguments, const Body& body,
                    bool inlined) {
  const std::string full = "phobos." + name;
  llvm::Function* function = module_.getFunction(full);
  if (!function) {
    llvm::SmallVector<llvm::Type*, 4> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    function =
        llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::Function::InternalLinkage, full, module_);
    function->addFnAttr(inlined ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->setConvergent();
    Builder inside(llvm::BasicBlock::Create(module_.getContext(), "", function));
    Value* value = body(inside, *function);
    if (value) inside.CreateRet(value);
    else inside.CreateRetVoid();
    // A call that computes only is the optimiser's to move: convergence is for what the warp does together.
    bool together = false;
    for (const llvm::BasicBlock& block : *function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* inner = llvm::dyn_cast<llvm::CallBase>(&instruction)) together |= inner->isConvergent();
    if (!together) function->removeFnAttr(llvm::Attribute::Convergent);
  }
  llvm::CallInst* made = builder_.CreateCall(function, arguments);
  return result->isVoidTy() ? nullptr : made;
}

Value* Target::special_register(const std::string& name, unsigned intrinsic, int below) {
  return call(name, builder_.getInt32Ty(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    llvm::CallInst* made = b.CreateIntrinsic(static_cast<ID>(intrinsic), llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    made->setMetadata(
        llvm::LLVMContext::MD_range,
        llvm::MDBuilder(b.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt(32, static_cast<std::uint64_t>(below))));
    return made;
  });
}

Value* Target::thread(int threads, bool roles) { return special_register(roles ? "thread.all" : "thread", llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, threads); }

// CTAs begin in the order of their numbers, x before y. In a band of rows that order goes down the columns of the band, so that those
// under way at one time are a block of the grid, and share what they load of either operand. A band whose CTAs cannot be numbered in 32
// bits is walked as the machine does.
Value* Target::block(int axis) {
  if (place_) return place_->block[axis];
  if (band_ <= 1 || axis == 2) return machine_block(axis);
  return call(std::string("band.") + "xy"[axis], builder_.getInt32Ty(), {}, [&](Builder& b, llvm::Function& function) -> Value* {
    Target inner(*function.getParent(), b, chip_);
    Value *columns = inner.blocks(0), *rows = inner.blocks(1), *x = inner.block(0), *y = inner.block(1);
    Value* band = b.getInt32(static_cast<std::uint32_t>(band_));
    Value* below = b.CreateURem(y, band);
    Value* first = b.CreateSub(y, below);
    Value* left = b.CreateSub(rows, first);
    Value* height = b.CreateSelect(b.CreateICmpULT(left, band), left, band);
    Value* number = b.CreateAdd(b.CreateMul(below, columns), x);
    Value* place = axis == 0 ? b.CreateUDiv(number, height) : b.CreateAdd(first, b.CreateURem(number, height));
    Value* small = b.CreateICmpULT(columns, b.getInt32(UINT32_MAX / static_cast<std::uint32_t>(band_)));
    return b.CreateSelect(small, place, axis == 0 ? x : y);
  });
}

Value* Target::machine_block(int axis) {
  constexpr ID registers[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                              llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return special_register(std::string("block.") + "xyz"[axis], registers[axis], axis == 0 ? 0x7fffffff : 0xffff);
}

Value* Target::blocks(int axis) { return place_ ? place_->blocks[axis] : machine_blocks(axis); }

Value* Target::machine_blocks(int axis) {
  constexpr ID registers[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                              llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  return call(std::string("blocks.") + "xyz"[axis], builder_.getInt32Ty(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    return b.CreateIntrinsic(registers[axis], llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
  });
}

void Target::arrive_at_group_barrier(Value* number, std::int64_t threads) {
  call(fmt::format("barrier.arrive.{}", threads), builder_.getVoidTy(), {number}, [&](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_arrive_aligned_count, {}, {function.getArg(0), b.getInt32(static_cast<std::uint32_t>(threads))});
    return nullptr;
  });
}

void Target::group_barrier(Value* number, std::int64_t threads) {
  call(fmt::format("barrier.of.{}", threads), builder_.getVoidTy(), {number}, [&](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count, {}, {function.getArg(0), b.getInt32(static_cast<std::uint32_t>(threads))});
    return nullptr;
  });
}

void Target::barrier() {
  if (team_) return group_barrier(team_, team_threads_);
  call("barrier", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {b.getInt32(0)});
    return nullptr;
  });
}

void Target::fence() {
  call("fence.gpu", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateFence(llvm::AtomicOrdering::AcquireRelease, b.getContext().getOrInsertSyncScopeID("device"));
    return nullptr;
  });
}

Value* Target::shuffle_word(ir::ShuffleMode mode, Value* value, Value* lane) {
  struct Row {
    const char* name;
    ID intrinsic;
    int bound;  // of the segment, as the instruction wants it
  };
  static constexpr Row rows[] = {{"shuffle.xor", llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, 31},
                                 {"shuffle.up", llvm::Intrinsic::nvvm_shfl_sync_up_i32, 0},
                                 {"shuffle.down", llvm::Intrinsic::nvvm_shfl_sync_down_i32, 31},
                                 {"shuffle.from", llvm::Intrinsic::nvvm_shfl_sync_idx_i32, 31}};
  const Row& row = rows[static_cast<int>(mode)];
  return call(row.name, builder_.getInt32Ty(), {value, lane}, [&](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(row.intrinsic, {},
                             {b.getInt32(0xffffffffu), function.getArg(0), function.getArg(1), b.getInt32(row.bound)});
  });
}

Value* Target::shuffle(ir::ShuffleMode mode, Value* value, Value* lane) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value* raw = type->isIntegerTy() ? value : builder_.CreateBitCast(value, builder_.getIntNTy(bits));
  if (bits <= 32) {
    raw = shuffle_word(mode, builder_.CreateZExt(raw, builder_.getInt32Ty()), lane);
    raw = builder_.CreateTrunc(raw, builder_.getIntNTy(bits));
  } else {
    Value* low = shuffle_word(mode, builder_.CreateTrunc(raw, builder_.getInt32Ty()), lane);
    Value* high = shuffle_word(mode, builder_.CreateTrunc(builder_.CreateLShr(raw, 32), builder_.getInt32Ty()), lane);
    raw = builder_.CreateOr(builder_.CreateZExt(low, builder_.getInt64Ty()),
                            builder_.CreateShl(builder_.CreateZExt(high, builder_.getInt64Ty()), 32));
  }
  return type->isIntegerTy() ? raw : builder_.CreateBitCast(raw, type);
}

Value* Target::vote(bool all, Value* predicate) {
  return call(all ? "vote.all" : "vote.any", builder_.getInt1Ty(), {predicate},
              [&](Builder& b, llvm::Function& function) -> Value* {
                const ID intrinsic = all ? llvm::Intrinsic::nvvm_vote_all_sync : llvm::Intrinsic::nvvm_vote_any_sync;
                return b.CreateIntrinsic(intrinsic, {}, {b.getInt32(0xffffffffu), function.getArg(0)});
              });
}

Value* Target::reduce_i32(ir::FoldOp fold, bool is_signed, Value* value) {
  const char* name = "reduce.add";
  ID intrinsic = llvm::Intrinsic::nvvm_redux_sync_add;
  if (fold == ir::FoldOp::Max) {
    name = is_signed ? "reduce.max" : "reduce.umax";
    intrinsic = is_signed ? llvm::Intrinsic::nvvm_redux_sync_max : llvm::Intrinsic::nvvm_redux_sync_umax;
  } else if (fold == ir::FoldOp::Min) {
    name = is_signed ? "reduce.min" : "reduce.umin";
    intrinsic = is_signed ? llvm::Intrinsic::nvvm_redux_sync_min : llvm::Intrinsic::nvvm_redux_sync_umin;
  }
  return call(name, builder_.getInt32Ty(), {value}, [&](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(intrinsic, {}, {function.getArg(0), b.getInt32(0xffffffffu)});
  });
}

namespace {

// Predicated accesses are inline assembly: LLVM has no masked scalar load that stays free of branches.
struct Access {
  const char* space;
  const char* width;       // in the instruction
  const char* constraint;  // of the register
};

Access access(unsigned bits, unsigned address_space) {
  const char* where = address_space == space::shared ? "shared" : "global";
  switch (bits) {
    case 8: return {where, "8", "h"};
    case 16: return {where, "16", "h"};
    case 32: return {where, "32", "r"};
    default: return {where, "64", "l"};
  }
}

unsigned register_bits(unsigned bits) { return bits < 16 ? 16 : bits; }

}  // namespace

Value* Target::masked_load(llvm::Type* type, Value* pointer, Value* mask, bool constant) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(mask);
  if (known && known->isOne()) return builder_.CreateAlignedLoad(type, pointer, llvm::Align(type->getScalarSizeInBits() / 8));
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned where = pointer->getType()->getPointerAddressSpace();
  const std::string name = std::string("load.masked.") +
                           (where == space::shared ? "shared"
                            : constant             ? "constant"
                                                   : "global") +
                           "." + type_name(type);
  return call(name, type, {pointer, mask}, [&](Builder& b, llvm::Function& function) -> Value* {
    const Access how = access(bits, where);
    llvm::Type* wide = b.getIntNTy(register_bits(bits));
    Value* address = function.getArg(0);
    if (where == space::shared) address = b.CreatePtrToInt(address, b.getInt32Ty());
    const std::string text = "mov.b" + std::to_string(register_bits(bits)) + " $0, 0; @$2 ld." + how.space +
                             (constant ? ".nc" : "") + ".b" + how.width + " $0, [$1];";
    const std::string constraints =
        std::string("=&") + how.constraint + (where == space::shared ? ",r" : ",l") + ",b" + (constant ? "" : ",~{memory}");
    auto* assembly = llvm::InlineAsm::get(llvm::FunctionType::get(wide, {address->getType(), b.getInt1Ty()}, false), text,
                                          constraints, !constant);
    llvm::CallInst* made = b.CreateCall(assembly, {address, function.getArg(1)});
    made->addFnAttr(llvm::Attribute::NoUnwind);
    if (constant) made->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
    Value* value = b.CreateTrunc(made, b.getIntNTy(bits));
    return type->isIntegerTy() ? value : b.CreateBitCast(value, type);
  });
}

void Target::masked_store(Value* value, Value* pointer, Value* mask) {
  llvm::Type* type = value->getType();
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(mask);
  if (known && known->isOne()) builder_.CreateAlignedStore(value, pointer, llvm::Align(type->getScalarSizeInBits() / 8));
  if (known) return;
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned where = pointer->getType()->getPointerAddressSpace();
  const std::string name = std::string("store.masked.") + (where == space::shared ? "shared" : "global") + "." + type_name(type);
  call(name, builder_.getVoidTy(), {value, pointer, mask}, [&](Builder& b, llvm::Function& function) -> Value* {
    const Access how = access(bits, where);
    llvm::Type* wide = b.getIntNTy(register_bits(bits));
    Value* raw = function.getArg(0);
    if (!type->isIntegerTy()) raw = b.CreateBitCast(raw, b.getIntNTy(bits));
    raw = b.CreateZExt(raw, wide);
    llvm::Type* address_type = where == space::shared ? b.getInt32Ty() : b.getInt64Ty();
    Value* address = b.CreatePtrToInt(function.getArg(1), address_type);
    const std::string text = std::string("@$2 st.") + how.space + ".b" + how.width + " [$1], $0;";
    auto* assembly =
        llvm::InlineAsm::get(llvm::FunctionType::get(b.getVoidTy(), {wide, address_type, b.getInt1Ty()}, false), text,
                             std::string(how.constraint) + (where == space::shared ? ",r" : ",l") + ",b,~{memory}", true);
    b.CreateCall(assembly, {raw, address, function.getArg(2)})->addFnAttr(llvm::Attribute::NoUnwind);
    return nullptr;
  });
}

Value* Target::text(const std::string& text) {
  llvm::GlobalVariable* known = texts_[text];
  if (!known) {
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
    known = texts_[text] = new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, "phobos_text",
                                                    nullptr, llvm::GlobalValue::NotThreadLocal, space::global);
  }
  return llvm::ConstantExpr::getAddrSpaceCast(known, builder_.getPtrTy());
}

// The arguments lie one behind the other in local memory, each aligned to its size.
void Target::print(const std::string& format, llvm::ArrayRef<Value*> arguments) {
  std::string name = "print";
  llvm::SmallVector<Value*, 8> all{text(format)};
  for (Value* argument : arguments) {
    name += fmt::format(".{}", type_name(argument->getType()));
    all.push_back(argument);
  }
  call(name, builder_.getVoidTy(), all, [&](Builder& b, llvm::Function& function) -> Value* {
    llvm::SmallVector<llvm::Type*, 8> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    Value* packed = llvm::ConstantPointerNull::get(b.getPtrTy());
    if (!types.empty()) {
      auto* type = llvm::StructType::get(b.getContext(), types);
      packed = b.CreateAlloca(type);
      for (unsigned i = 0; i < types.size(); ++i) b.CreateStore(function.getArg(i + 1), b.CreateStructGEP(type, packed, i));
    }
    auto* signature = llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy()}, false);
    b.CreateCall(module_.getOrInsertFunction("vprintf", signature), {function.getArg(0), packed});
    return nullptr;
  }, false);
}

Value* Target::exp2_f32(Value* x) {
  return call("exp2.f32", x->getType(), {x}, [](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx_ftz, {b.getFloatTy()}, {function.getArg(0)});
  });
}

Value* Target::rsqrt_f32(Value* x) {
  return call("rsqrt.f32", x->getType(), {x}, [](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_rsqrt_approx_f, {}, {function.getArg(0)});
  });
}

Value* Target::divide_f32(Value* a, Value* b) {
  return call("divide.f32", a->getType(), {a, b}, [](Builder& builder, llvm::Function& function) -> Value* {
    return builder.CreateIntrinsic(llvm::Intrinsic::nvvm_div_approx_f, {}, {function.getArg(0), function.getArg(1)});
  });
}

Value* Target::dot4(bool is_signed, Value* a, Value* b, Value* sum) {
  return call(is_signed ? "dot4.s8" : "dot4.u8", sum->getType(), {a, b, sum},
              [&](Builder& builder, llvm::Function& function) -> Value* {
                const ID intrinsic = is_signed ? llvm::Intrinsic::nvvm_idp4a_s_s : llvm::Intrinsic::nvvm_idp4a_u_u;
                return builder.CreateIntrinsic(intrinsic, {}, {function.getArg(0), function.getArg(1), function.getArg(2)});
              });
}

void Target::copy_async(Value* to, Value* from, Value* bytes, Value* mask) {
  llvm::SmallVector<Value*, 4> arguments{to, from, mask};
  if (bytes) arguments.push_back(bytes);
  call(bytes ? "copy.part" : "copy", builder_.getVoidTy(), arguments, [&](Builder& b, llvm::Function& function) -> Value* {
    // No intrinsic can be predicated, and a branch would part what is to be scheduled together.
    llvm::SmallVector<Value*, 4> operands{b.CreatePtrToInt(function.getArg(0), b.getInt32Ty()), b.CreatePtrToInt(function.getArg(1), b.getInt64Ty()),
                                          function.getArg(2)};
    llvm::SmallVector<llvm::Type*, 4> types{b.getInt32Ty(), b.getInt64Ty(), b.getInt1Ty()};
    if (bytes) {
      operands.push_back(function.getArg(3));
      types.push_back(b.getInt32Ty());
    }
    const std::string text = std::string("@$2 cp.async.cg.shared.global [$0], [$1], 16") + (bytes ? ", $3;" : ";");
    auto* assembly = llvm::InlineAsm::get(llvm::FunctionType::get(b.getVoidTy(), types, false), text,
                                          bytes ? "r,l,b,r,~{memory}" : "r,l,b,~{memory}", true);
    b.CreateCall(assembly, operands)->addFnAttr(llvm::Attribute::NoUnwind);
    return nullptr;
  });
}

void Target::commit_copies() {
  call("copy.commit", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_commit_group, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::wait_for_copies(std::int64_t groups) {
  call(fmt::format("copy.wait.{}", groups), builder_.getVoidTy(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_wait_group, {}, {b.getInt32(static_cast<std::uint32_t>(groups))});
    return nullptr;
  });
}

Target::Words Target::load_matrices(Value* row, int count, bool turned) {
  const llvm::SmallVector<llvm::Type*, 4> types(static_cast<std::size_t>(count), builder_.getInt32Ty());
  llvm::Type* result = llvm::StructType::get(builder_.getContext(), types);
  const ID intrinsic = count == 4 ? (turned ? llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16
                                            : llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16)
                                  : (turned ? llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16
                                            : llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16);
  Value* loaded = call(fmt::format("matrices.x{}{}", count, turned ? ".turned" : ""), result, {row}, [&](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(intrinsic, {row->getType()}, {function.getArg(0)});
  });
  return fields(loaded);
}

Value* Target::round_tf32(Value* x) {
  return call("round.tf32", builder_.getInt32Ty(), {x}, [](Builder& b, llvm::Function& function) -> Value* {
    return b.CreateIntrinsic(llvm::Intrinsic::nvvm_f2tf32_rna, {}, {function.getArg(0)});
  });
}

Value* Target::pack_f16(Value* low, Value* high) {
  Value* pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder_.getHalfTy(), 2));
  pair = builder_.CreateInsertElement(pair, builder_.CreateFPTrunc(low, builder_.getHalfTy()), std::uint64_t{0});
  pair = builder_.CreateInsertElement(pair, builder_.CreateFPTrunc(high, builder_.getHalfTy()), std::uint64_t{1});
  return builder_.CreateBitCast(pair, builder_.getInt32Ty());
}

Target::Words Target::multiply_matrices(ScalarType element, const Words& a, const Words& b, const Words& sums) {
  ID intrinsic = llvm::Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32;
  if (element == ScalarType::F32) intrinsic = llvm::Intrinsic::nvvm_mma_m16n8k8_row_col_tf32;
  if (element == ScalarType::BF16) intrinsic = llvm::Intrinsic::nvvm_mma_m16n8k16_row_col_bf16;
  if (element == ScalarType::I8) intrinsic = llvm::Intrinsic::nvvm_mma_m16n8k32_row_col_s8;
  if (element == ScalarType::U8) intrinsic = llvm::Intrinsic::nvvm_mma_m16n8k32_row_col_u8;
  llvm::Type* sum = sums[0]->getType();
  llvm::Type* result = llvm::StructType::get(builder_.getContext(), {sum, sum, sum, sum});
  Words arguments;
  for (const Words* words : {&a, &b, &sums}) arguments.append(*words);
  return fields(call(fmt::format("multiply.{}", element == ScalarType::F32 ? "tf32" : name_of(element)), result, arguments, [&](Builder& inside, llvm::Function& function) -> Value* {
    Words operands;
    for (llvm::Argument& argument : function.args()) {
      const bool pair = element == ScalarType::F16 && argument.getType()->isIntegerTy();
      operands.push_back(pair ? inside.CreateBitCast(&argument, llvm::FixedVectorType::get(inside.getHalfTy(), 2)) : &argument);
    }
    return inside.CreateIntrinsic(intrinsic, {}, operands);
  }));
}

namespace {

llvm::FunctionCallee assembly(llvm::Type* result, llvm::ArrayRef<llvm::Type*> types, llvm::StringRef text, const std::string& constraints) {
  return {llvm::FunctionType::get(result, types, false), llvm::InlineAsm::get(llvm::FunctionType::get(result, types, false), text, constraints, true)};
}

// Results, and where they `come_in` too, in the same registers.
std::string tied(std::size_t count, const std::string& kind, const std::string& others, bool come_in = true) {
  std::string constraints;
  for (std::size_t i = 0; i < count; ++i) constraints += (i == 0 ? "=" : ",=") + kind;
  constraints += others;
  for (std::size_t i = 0; i < count && come_in; ++i) constraints += "," + std::to_string(i);
  return constraints;
}

}  // namespace

// The address, the bytes from one block of columns to the next, those from 8 rows to the next 8, all in pieces of 16, and which swizzle.
Value* Target::descriptor(Value* pointer, const passes::Swizzle& swizzle, std::int64_t between) {
  return call(fmt::format("descriptor.{}.{}", swizzle.row, between), builder_.getInt64Ty(), {pointer}, [&](Builder& b, llvm::Function& function) -> Value* {
    Value* address = b.CreatePtrToInt(function.getArg(0), b.getInt32Ty());
    Value* low = b.CreateOr(b.CreateLShr(b.CreateAnd(address, 0x3ffff), 4), static_cast<std::uint64_t>(between / 16) << 16);
    const std::uint64_t form = swizzle.row == 128 ? 1 : swizzle.row == 64 ? 2 : 3;
    return b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), static_cast<std::uint64_t>(8 * swizzle.row / 16) << 32 | form << 62);
  });
}

// The sums come back in the registers that they went in by, so that ptxas never has to move them while they are added to.
Target::Words Target::multiply_by_groups(const GroupProduct& product, const Words& a, Value* b, const Words& sums) {
  const auto& [element, columns, along_k, from_zero] = product;
  const auto count = static_cast<std::size_t>(columns / 2);
  const bool bytes = size_of(element) == 1, halves = size_of(element) == 2, registers = a.size() == 4;
  const std::string_view type = element == ScalarType::BF16 ? "bf16" : element == ScalarType::F16 ? "f16" : element == ScalarType::I8 ? "s8" : element == ScalarType::U8 ? "u8" : "tf32";
  const std::string name = fmt::format("groups.{}.{}.{}.{}.{}", type, columns, along_k ? 1 : 0, registers ? 1 : 0, from_zero ? 1 : 0);
  llvm::Type* sum = bytes ? static_cast<llvm::Type*>(builder_.getInt32Ty()) : builder_.getFloatTy();
  llvm::Type* result = llvm::StructType::get(builder_.getContext(), llvm::SmallVector<llvm::Type*, 4>(count, sum));
  Words arguments = a;
  arguments.push_back(b);
  if (!from_zero) arguments.append(sums);
  return fields(call(name, result, arguments, [&](Builder& inside, llvm::Function& function) -> Value* {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += fmt::format("{}${}", i == 0 ? "" : ",", i);
    const std::string first = registers ? fmt::format("{{${}, ${}, ${}, ${}}}", count, count + 1, count + 2, count + 3) : fmt::format("${}", count);
    // Floats may be scaled, and those of 16 bits turned, in shared memory.
    const std::string ways = bytes ? "" : !halves ? ", 1, 1" : fmt::format(", 1, 1{}, {}", registers ? "" : ", 0", along_k ? 0 : 1);
    const std::string text = fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{} {{{}}}, {}, ${}, {}{};", columns, 32 / size_of(element), bytes ? "s32" : "f32", type, type,
                                         out, first, count + a.size(), from_zero ? 0 : 1, ways);
    llvm::SmallVector<Value*, 4> operands;
    for (llvm::Argument& argument : function.args()) operands.push_back(&argument);
    llvm::SmallVector<llvm::Type*, 4> types;
    for (Value* operand : operands) types.push_back(operand->getType());
    llvm::CallInst* made = inside.CreateCall(assembly(result, types, text, tied(count, bytes ? "r" : "f", registers ? ",r,r,r,r,l" : ",l,l", !from_zero)), operands);
    made->setConvergent();
    made->setDoesNotThrow();
    return made;
  }));
}

Target::Words Target::held(const Words& words) {
  if (words.empty()) return words;
  llvm::Type* type = words[0]->getType();
  const bool one = words.size() == 1;  // an assembly of one result gives no structure
  llvm::Type* result = one ? type : llvm::StructType::get(builder_.getContext(), llvm::SmallVector<llvm::Type*, 4>(words.size(), type));
  Value* all = call(fmt::format("held.{}.{}", type_name(type), words.size()), result, words, [&](Builder& inside, llvm::Function& function) -> Value* {
    llvm::SmallVector<Value*, 4> operands;
    for (llvm::Argument& argument : function.args()) operands.push_back(&argument);
    const llvm::SmallVector<llvm::Type*, 4> types(words.size(), type);
    llvm::CallInst* made = inside.CreateCall(assembly(result, types, "", tied(words.size(), type->isIntegerTy() ? "r" : "f", "")), operands);
    made->setDoesNotThrow();
    return made;
  });
  return one ? Words{all} : fields(all);
}

void Target::begin_groups() {
  call("groups.begin", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_wgmma_fence_sync_aligned, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::commit_groups() {
  call("groups.commit", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_wgmma_commit_group_sync_aligned, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::wait_for_groups(std::int64_t groups) {
  call(fmt::format("groups.wait.{}", groups), builder_.getVoidTy(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_wgmma_wait_group_sync_aligned, {}, {b.getInt64(static_cast<std::uint64_t>(groups))});
    return nullptr;
  });
}

void Target::publish_to_groups() {
  call("groups.publish", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_fence_proxy_async_shared_cta, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::make_phases(Value* barrier, std::int64_t arrivals) {
  call("phases.make", builder_.getVoidTy(), {barrier, builder_.getInt32(static_cast<std::uint32_t>(arrivals))}, [](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_mbarrier_init_shared, {}, {function.getArg(0), function.getArg(1)});
    return nullptr;
  });
}

void Target::publish_phases() {
  call("phases.publish", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_fence_mbarrier_init_release_cluster, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::expect(Value* barrier, std::int64_t bytes) {
  call("phases.expect", builder_.getVoidTy(), {barrier, builder_.getInt32(static_cast<std::uint32_t>(bytes))}, [](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta, {}, {function.getArg(0), function.getArg(1)});
    return nullptr;
  });
}

void Target::arrive(Value* barrier) {
  call("phases.arrive", builder_.getVoidTy(), {barrier}, [](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_mbarrier_arrive_shared, {}, {function.getArg(0)});
    return nullptr;
  });
}

void Target::wait_for_phase(Value* barrier, Value* phase) {
  call("phases.wait", builder_.getVoidTy(), {barrier, phase}, [](Builder& b, llvm::Function& function) -> Value* {
    auto* again = llvm::BasicBlock::Create(b.getContext(), "again", &function);
    auto* over = llvm::BasicBlock::Create(b.getContext(), "over", &function);
    Value* parity = b.CreateAnd(function.getArg(1), 1);
    b.CreateBr(again);
    b.SetInsertPoint(again);
    Value* done = b.CreateIntrinsic(llvm::Intrinsic::nvvm_mbarrier_try_wait_parity_scope_cta_space_cta, {}, {function.getArg(0), parity});
    b.CreateCondBr(done, over, again);
    b.SetInsertPoint(over);
    // What the copies have brought is read behind this, though to LLVM the wait looks at the barrier alone.
    b.CreateCall(assembly(b.getVoidTy(), {}, "", "~{memory}"), {});
    return nullptr;
  });
}

void Target::load_box(Value* to, Value* map, Value* barrier, Value* x, Value* y) {
  call("box.load", builder_.getVoidTy(), {to, map, barrier, x, y}, [](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_bulk_tensor_g2s_cta_tile_2d, {},
                      {function.getArg(0), function.getArg(2), function.getArg(1), function.getArg(3), function.getArg(4), b.getInt64(0), b.getFalse()});
    return nullptr;
  });
}

void Target::store_box(Value* map, Value* from, Value* x, Value* y) {
  call("box.store", builder_.getVoidTy(), {map, from, x, y}, [](Builder& b, llvm::Function& function) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_2d, {},
                      {function.getArg(1), function.getArg(0), function.getArg(2), function.getArg(3), b.getInt64(0), b.getFalse()});
    return nullptr;
  });
}

void Target::commit_boxes() {
  call("box.commit", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_bulk_commit_group, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    return nullptr;
  });
}

void Target::wait_for_boxes(std::int64_t groups, bool read) {
  call(fmt::format("box.{}.{}", read ? "read" : "wait", groups), builder_.getVoidTy(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(read ? llvm::Intrinsic::nvvm_cp_async_bulk_wait_group_read : llvm::Intrinsic::nvvm_cp_async_bulk_wait_group, {},
                      {b.getInt32(static_cast<std::uint32_t>(groups))});
    return nullptr;
  });
}

void Target::store_matrices(Value* row, const Words& words) {
  Words arguments{row};
  arguments.append(words);
  call("matrices.store", builder_.getVoidTy(), arguments, [&](Builder& b, llvm::Function& function) -> Value* {
    Words operands;
    for (llvm::Argument& argument : function.args()) operands.push_back(&argument);
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_b16, {row->getType()}, operands);
    return nullptr;
  });
}

Value* Target::elect() {
  return call("elect", builder_.getInt1Ty(), {}, [](Builder& b, llvm::Function&) -> Value* {
    return b.CreateExtractValue(b.CreateIntrinsic(llvm::Intrinsic::nvvm_elect_sync, {}, {b.getInt32(0xffffffffu)}), 1);
  });
}

void Target::set_registers(int count, bool more) {
  call(fmt::format("registers.{}.{}", more ? "more" : "fewer", count), builder_.getVoidTy(), {}, [&](Builder& b, llvm::Function&) -> Value* {
    b.CreateIntrinsic(more ? llvm::Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 : llvm::Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32, {},
                      {b.getInt32(static_cast<std::uint32_t>(count))});
    return nullptr;
  });
}

Target::Words Target::fields(Value* all) {
  Words words;
  for (unsigned i = 0; i < all->getType()->getStructNumElements(); ++i) words.push_back(builder_.CreateExtractValue(all, i));
  return words;
}

}  // namespace phobos::nvptx
