#include "instrument.h"

#include <map>
#include <optional>

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ReplaceConstant.h>

namespace phobos::emulate {

namespace {

using llvm::Value;

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const std::string& entry) : module_(module), entry_(entry), b_(module.getContext()) {}

  Result<std::vector<Site>> run() {
    llvm::Function* kernel = module_.getFunction(entry_);
    if (!kernel) return Error{"internal: the module has no kernel `" + entry_ + "`"};
    remove_other_entries(*kernel);
    kernel->setName("the kernel");  // its own may be that of a function of the host, which others call
    sites_.push_back({});
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Function& function : module_) {
      if (machine_operation(function)) continue;  // its calls are replaced
      for (llvm::Instruction& instruction : llvm::instructions(function)) instructions.push_back(&instruction);
    }
    for (llvm::Instruction* instruction : instructions) visit(*instruction);
    for (llvm::Function& function : module_)
      if (!machine_operation(function)) count_turns(function);
    if (!unknown_.empty()) return Error{"internal: the emulator has no `" + unknown_ + "`"};
    remove_operations();
    localise_shared_memory();
    add_entry(*kernel);
    llvm::StripDebugInfo(module_);
    return std::move(sites_);
  }

 private:
  static constexpr llvm::StringLiteral prefix = "phobos.";

  void remove_other_entries(const llvm::Function& kernel) {
    for (llvm::Function& function : llvm::make_early_inc_range(module_))
      if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && &function != &kernel) function.eraseFromParent();
  }

  // Whether a function is a helper whose body only the card can run.
  static bool machine_operation(const llvm::Function& function) {
    if (!function.getName().starts_with(prefix)) return false;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::FenceInst>(instruction)) return true;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      if (llvm::isa<llvm::InlineAsm>(call->getCalledOperand())) return true;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee && (callee->getName().starts_with("llvm.nvvm.") || callee->getName() == "vprintf")) return true;
    }
    return false;
  }

  SiteId site(const llvm::Instruction& instruction, std::string what) {
    Site made{0, 0, std::move(what)};
    if (const llvm::DebugLoc& at = instruction.getDebugLoc()) {
      made.line = static_cast<int>(at.getLine());
      made.column = static_cast<int>(at.getCol());
    }
    sites_.push_back(std::move(made));
    return static_cast<SiteId>(sites_.size() - 1);
  }

  Value* host(const std::string& name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*, 6> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    return b_.CreateCall(module_.getOrInsertFunction("phobos_emulate_" + name, llvm::FunctionType::get(result, types, false)), arguments);
  }

  Value* i32(std::uint32_t value) { return b_.getInt32(value); }
  Value* address(Value* pointer) { return b_.CreatePtrToInt(pointer, b_.getInt64Ty()); }

  void visit(llvm::Instruction& instruction) {
    b_.SetInsertPoint(&instruction);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return check(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), load->isAtomic() ? access::atomic : 0, "load");
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return check(instruction, store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(),
                   access::write | (store->isAtomic() ? access::atomic : 0), "store");
    if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return check(instruction, rmw->getPointerOperand(), rmw->getType(), rmw->getAlign(), access::write | access::atomic, "atomic");
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return check(instruction, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(), exchange->getAlign(),
                   access::write | access::atomic, "atomic");
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) return;
    if (llvm::isa<llvm::InlineAsm>(call->getCalledOperand())) return reject("inline assembly outside of a `phobos.` helper");
    llvm::Function* callee = call->getCalledFunction();
    if (!callee) return;
    if (callee->getName().starts_with("llvm.nvvm.")) return reject(callee->getName().str());
    if (machine_operation(*callee)) replace(*call, callee->getName().drop_front(prefix.size()));
  }

  // A jump to a block that stands before its own goes round a loop, which may be endless and touch no memory.
  void count_turns(llvm::Function& function) {
    std::map<const llvm::BasicBlock*, std::size_t> order;
    for (llvm::BasicBlock& block : function) order[&block] = order.size();
    for (llvm::BasicBlock& block : function) {
      llvm::Instruction* end = block.getTerminator();
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        if (order.at(end->getSuccessor(i)) > order.at(&block)) continue;
        b_.SetInsertPoint(end);
        host("turn", b_.getVoidTy(), {i32(site(*end, "loop"))});
        break;
      }
    }
  }

  void reject(const std::string& what) {
    if (unknown_.empty()) unknown_ = what;
  }

  void check(llvm::Instruction& at, Value* pointer, llvm::Type* type, llvm::Align align, std::uint32_t how, const char* what) {
    if (llvm::isa<llvm::AllocaInst>(pointer)) return;  // a thread's own variable
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    if (space == 4 && (how & access::write) == 0) return;  // a table of the module's own
    if (space != 1 && space != 3) return reject(fmt::format("an access to address space {}", space));
    if (space == 3) how |= access::shared;
    const auto bytes = static_cast<std::uint32_t>(module_.getDataLayout().getTypeStoreSize(type).getFixedValue());
    host("check", b_.getVoidTy(), {address(pointer), i32(bytes), i32(static_cast<std::uint32_t>(align.value())), i32(how), i32(site(at, what))});
  }

  void replace(llvm::CallInst& call, llvm::StringRef name) {
    Value* result = replace_register(name);
    if (!result) result = replace_warp(call, name);
    if (!result) result = replace_masked(call, name);
    if (!result) result = replace_matrices(call, name);
    if (!result) result = replace_groups(call, name);
    if (!result) result = replace_arithmetic(call, name);
    if (name.starts_with("print")) {
      print(call);
    } else if (name == "barrier") {
      host("barrier", b_.getVoidTy(), {i32(site(call, "barrier"))});
    } else if (name == "trap") {
      host("trap", b_.getVoidTy(), {i32(site(call, "trap"))});
    } else if (name == "fence.gpu") {
      // Threads take turns on one core: every store is seen at once.
    } else if (name == "copy" || name == "copy.part") {
      Value* bytes = name == "copy" ? i32(16) : call.getArgOperand(3);
      Value* mask = b_.CreateZExt(call.getArgOperand(2), b_.getInt32Ty());
      host("copy", b_.getVoidTy(), {address(call.getArgOperand(0)), address(call.getArgOperand(1)), bytes, mask, i32(site(call, "copy"))});
    } else if (name == "groups.publish") {
      host("publish", b_.getVoidTy(), {});
    } else if (replace_copies(call, name)) {
    } else if (name == "groups.begin") {
      host("begin_groups", b_.getVoidTy(), {i32(site(call, "product"))});
    } else if (name == "groups.commit") {
      host("commit_groups", b_.getVoidTy(), {i32(site(call, "product"))});
    } else if (name.consume_front("groups.wait.")) {
      unsigned groups = 0;
      name.getAsInteger(10, groups);
      host("wait_for_groups", b_.getVoidTy(), {i32(groups)});
    } else if (name == "copy.commit") {
      host("commit_copies", b_.getVoidTy(), {});
    } else if (name.consume_front("copy.wait.")) {
      unsigned groups = 0;
      name.getAsInteger(10, groups);
      host("wait_for_copies", b_.getVoidTy(), {i32(groups)});
    } else if (!result) {
      return reject("phobos." + name.str());
    }
    if (result && !call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  // Named barriers, barriers of copies, bulk copies, and the registers of roles.
  bool replace_copies(llvm::CallInst& call, llvm::StringRef name) {
    const auto number = [&](llvm::StringRef after) {
      unsigned value = 0;
      name.substr(after.size()).getAsInteger(10, value);
      return i32(value);
    };
    const auto argument = [&](unsigned i) {
      Value* value = call.getArgOperand(i);
      return value->getType()->isPointerTy() ? address(value) : value;
    };
    const auto ask = [&](const char* what, llvm::SmallVector<Value*, 6> arguments) {
      arguments.push_back(i32(site(call, what)));
      host(what, b_.getVoidTy(), arguments);
      return true;
    };
    if (name.starts_with("barrier.of.")) return ask("group_barrier", {argument(0), number("barrier.of.")});
    if (name.starts_with("barrier.arrive.")) return ask("arrive_at_barrier", {argument(0), number("barrier.arrive.")});
    if (name == "phases.make") return ask("make_phases", {argument(0), argument(1)});
    if (name == "phases.publish") return true;  // threads take turns on one core
    if (name == "phases.expect") return ask("expect", {argument(0), argument(1)});
    if (name == "phases.arrive") return ask("arrive", {argument(0)});
    if (name == "phases.wait") return ask("wait_for_phase", {argument(0), argument(1)});
    if (name == "box.load") return ask("load_box", {argument(0), argument(1), argument(2), argument(3), argument(4)});
    if (name == "box.store") return ask("store_box", {argument(0), argument(1), argument(2), argument(3)});
    if (name == "box.commit") return ask("commit_boxes", {});
    if (name.starts_with("box.read.")) return ask("wait_for_boxes", {number("box.read.")});
    if (name.starts_with("box.wait.")) return ask("wait_for_boxes", {number("box.wait.")});
    if (name.starts_with("registers.more.")) return ask("set_registers", {number("registers.more."), i32(1)});
    if (name.starts_with("registers.fewer.")) return ask("set_registers", {number("registers.fewer."), i32(0)});
    return false;
  }

  // `print.<type>…(format, arguments…)`: the arguments' bits, 8 bytes each.
  void print(llvm::CallInst& call) {
    const unsigned count = call.arg_size() - 1;
    llvm::Function* function = call.getFunction();
    b_.SetInsertPoint(&*function->getEntryBlock().getFirstInsertionPt());
    Value* values = b_.CreateAlloca(b_.getInt64Ty(), i32(std::max(count, 1u)));
    b_.SetInsertPoint(&call);
    for (unsigned i = 0; i < count; ++i) {
      Value* argument = call.getArgOperand(i + 1);
      if (argument->getType()->isPointerTy()) argument = b_.CreatePtrToInt(argument, b_.getInt64Ty());
      else if (argument->getType()->isDoubleTy()) argument = b_.CreateBitCast(argument, b_.getInt64Ty());
      else argument = b_.CreateSExt(argument, b_.getInt64Ty());
      b_.CreateStore(argument, b_.CreateConstGEP1_64(b_.getInt64Ty(), values, i));
    }
    host("print", b_.getVoidTy(), {call.getArgOperand(0), values, i32(site(call, "print"))});
  }

  Value* replace_register(llvm::StringRef name) {
    static const std::map<std::string, Register> registers = {
        {"thread", Register::Thread},    {"thread.all", Register::Thread}, {"block.x", Register::BlockX},   {"block.y", Register::BlockY},  {"block.z", Register::BlockZ},
        {"blocks.x", Register::BlocksX}, {"blocks.y", Register::BlocksY}, {"blocks.z", Register::BlocksZ}};
    const auto found = registers.find(name.str());
    return found == registers.end() ? nullptr : host("register", b_.getInt32Ty(), {i32(static_cast<std::uint32_t>(found->second))});
  }

  Value* replace_warp(llvm::CallInst& call, llvm::StringRef name) {
    static const std::map<std::string, WarpOp> operations = {
        {"shuffle.xor", WarpOp::ShuffleXor}, {"shuffle.up", WarpOp::ShuffleUp}, {"shuffle.down", WarpOp::ShuffleDown},
        {"shuffle.from", WarpOp::ShuffleFrom}, {"vote.all", WarpOp::VoteAll},   {"vote.any", WarpOp::VoteAny},
        {"reduce.add", WarpOp::Add},         {"reduce.max", WarpOp::Max},       {"reduce.umax", WarpOp::UMax},
        {"reduce.min", WarpOp::Min},         {"reduce.umin", WarpOp::UMin},     {"elect", WarpOp::Elect}};
    const auto found = operations.find(name.str());
    if (found == operations.end()) return nullptr;
    Value* value = call.arg_size() > 0 ? b_.CreateZExt(call.getArgOperand(0), b_.getInt32Ty()) : i32(0);
    Value* lane = call.arg_size() > 1 ? call.getArgOperand(1) : i32(0);
    Value* result = host("warp", b_.getInt32Ty(), {i32(static_cast<std::uint32_t>(found->second)), value, lane, i32(site(call, name.str()))});
    return b_.CreateTrunc(result, call.getType());
  }

  // `load.masked.<where>.<type>(pointer, mask)`, `store.masked.<where>.<type>(value, pointer, mask)`.
  Value* replace_masked(llvm::CallInst& call, llvm::StringRef name) {
    const bool load = name.starts_with("load.masked."), store = name.starts_with("store.masked.");
    if (!load && !store) return nullptr;
    const unsigned first = store ? 1 : 0;
    llvm::Type* type = load ? call.getType() : call.getArgOperand(0)->getType();
    const unsigned bits = type->getScalarSizeInBits();
    Value* pointer = call.getArgOperand(first);
    std::uint32_t how = pointer->getType()->getPointerAddressSpace() == 3 ? access::shared : 0;
    if (name.contains(".constant.")) how |= access::constant;
    Value* mask = b_.CreateZExt(call.getArgOperand(first + 1), b_.getInt32Ty());
    Value* place = address(pointer);
    Value* bytes = i32(bits / 8);
    Value* where = i32(site(call, load ? "load" : "store"));
    if (load) {
      Value* raw = b_.CreateTrunc(host("masked_load", b_.getInt64Ty(), {place, bytes, mask, i32(how), where}), b_.getIntNTy(bits));
      return b_.CreateBitCast(raw, type);
    }
    Value* raw = b_.CreateZExt(b_.CreateBitCast(call.getArgOperand(0), b_.getIntNTy(bits)), b_.getInt64Ty());
    return host("masked_store", b_.getVoidTy(), {raw, place, bytes, mask, i32(how), where});
  }

  // A warp's work on matrices: each lane's words go through memory of its own.
  Value* replace_matrices(llvm::CallInst& call, llvm::StringRef name) {
    static const std::map<std::string, MatrixOp> operations = {
        {"matrices.x2", MatrixOp::Load2},       {"matrices.x2.turned", MatrixOp::Load2Turned}, {"matrices.x4", MatrixOp::Load4},
        {"matrices.x4.turned", MatrixOp::Load4Turned}, {"multiply.f16", MatrixOp::MultiplyF16}, {"multiply.bf16", MatrixOp::MultiplyBF16},
        {"multiply.tf32", MatrixOp::MultiplyTf32}, {"matrices.store", MatrixOp::Store4},
        {"multiply.i8", MatrixOp::MultiplyI8},  {"multiply.u8", MatrixOp::MultiplyU8}};
    const auto found = operations.find(name.str());
    if (found == operations.end()) return nullptr;
    Value*& words = words_[call.getFunction()];
    if (!words) {
      llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
      words = entry.CreateAlloca(llvm::ArrayType::get(b_.getInt32Ty(), most_words));
    }
    b_.SetInsertPoint(&call);
    unsigned at = 0;
    for (Value* argument : call.args()) {
      Value* raw = argument->getType()->isPointerTy() ? address(argument) : b_.CreateBitCast(argument, b_.getInt32Ty());
      b_.CreateAlignedStore(raw, b_.CreateConstGEP1_32(b_.getInt32Ty(), words, at), llvm::Align(4));
      at += argument->getType()->isPointerTy() ? 2 : 1;
    }
    Value* out = b_.CreateConstGEP1_32(b_.getInt32Ty(), words, most_words - 4);
    Value* done = host("matrices", b_.getVoidTy(), {i32(static_cast<std::uint32_t>(found->second)), words, out, i32(site(call, name.str()))});
    if (call.getType()->isVoidTy()) return done;
    Value* result = llvm::PoisonValue::get(call.getType());
    for (unsigned i = 0; i < call.getType()->getStructNumElements(); ++i) {
      Value* word = b_.CreateAlignedLoad(call.getType()->getStructElementType(i), b_.CreateConstGEP1_32(b_.getInt32Ty(), out, i), llvm::Align(4));
      result = b_.CreateInsertValue(result, word, i);
    }
    return result;
  }

  llvm::IRBuilder<> at_entry(llvm::CallInst& call) { return llvm::IRBuilder<>(&*call.getFunction()->getEntryBlock().getFirstInsertionPt()); }

  // `groups.<type>.<n>.<along k>.<a in registers>.<from zero>(a, b, sums…)`, of descriptors or of four words, and `held.<type>.<count>(words…)`,
  // which changes nothing.
  Value* replace_groups(llvm::CallInst& call, llvm::StringRef name) {
    const bool held = name.consume_front("held.");
    llvm::SmallVector<llvm::StringRef, 5> words;
    if (!held && name.consume_front("groups.")) name.split(words, '.');
    if (!held && words.size() != 5) return nullptr;
    if (held && !call.getType()->isStructTy()) return call.getArgOperand(0);
    Value* result = llvm::PoisonValue::get(call.getType());
    const unsigned count = call.getType()->getStructNumElements();
    if (held) {
      for (unsigned i = 0; i < count; ++i) result = b_.CreateInsertValue(result, call.getArgOperand(i), i);
      return result;
    }
    const auto number = [&](std::size_t i) {
      unsigned value = 0;
      words[i].getAsInteger(10, value);
      return value;
    };
    const bool registers = number(3) != 0, from_zero = number(4) != 0;
    const unsigned second = registers ? 4 : 1;
    Value* sums = at_entry(call).CreateAlloca(llvm::ArrayType::get(b_.getInt32Ty(), count));
    for (unsigned i = 0; i < count; ++i)
      b_.CreateStore(from_zero ? i32(0) : call.getArgOperand(second + 1 + i), b_.CreateConstGEP1_32(b_.getInt32Ty(), sums, i));
    Value* a = call.getArgOperand(0);
    if (registers) {
      Value* given = at_entry(call).CreateAlloca(llvm::ArrayType::get(b_.getInt32Ty(), 4));
      for (unsigned i = 0; i < 4; ++i) b_.CreateStore(b_.CreateBitCast(call.getArgOperand(i), b_.getInt32Ty()), b_.CreateConstGEP1_32(b_.getInt32Ty(), given, i));
      a = address(given);
    }
    const auto factor = words[0] == "bf16" ? Factor::BF16 : words[0] == "s8" ? Factor::I8 : words[0] == "u8" ? Factor::U8 : words[0] == "tf32" ? Factor::TF32 : Factor::F16;
    host("groups", b_.getVoidTy(), {i32(static_cast<std::uint32_t>(factor)), i32(number(2)), i32(registers ? 1 : 0), i32(number(1)), a, call.getArgOperand(second), sums, i32(site(call, "product"))});
    for (unsigned i = 0; i < count; ++i)
      result = b_.CreateInsertValue(result, b_.CreateLoad(call.getType()->getStructElementType(i), b_.CreateConstGEP1_32(b_.getInt32Ty(), sums, i)), i);
    return result;
  }

  Value* replace_arithmetic(llvm::CallInst& call, llvm::StringRef name) {
    static const std::map<std::string, const char*> functions = {{"exp2.f32", "exp2"},
                                                                 {"rsqrt.f32", "rsqrt"},
                                                                 {"divide.f32", "divide"},
                                                                 {"round.tf32", "round_tf32"},
                                                                 {"dot4.s8", "dot4_signed"},
                                                                 {"dot4.u8", "dot4_unsigned"}};
    const auto found = functions.find(name.str());
    if (found == functions.end()) return nullptr;
    llvm::SmallVector<Value*, 3> arguments(call.args());
    return host(found->second, call.getType(), arguments);
  }

  void remove_operations() {
    std::vector<llvm::Function*> operations;
    for (llvm::Function& function : module_)
      if (machine_operation(function)) operations.push_back(&function);
    for (llvm::Function* function : operations) {
      function->deleteBody();
      if (function->use_empty()) function->eraseFromParent();
    }
  }

  // One array of the card's becomes what the thread's CTA has.
  void localise_shared_memory() {
    llvm::SmallVector<llvm::GlobalVariable*, 2> variables;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.getAddressSpace() == 3) variables.push_back(&variable);
    for (llvm::GlobalVariable* variable : variables) {
      llvm::convertUsersOfConstantsToInstructions({variable});
      std::map<llvm::Function*, Value*> local;
      for (llvm::Use& use : llvm::make_early_inc_range(variable->uses())) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        Value*& base = local[user->getFunction()];
        if (!base) {
          b_.SetInsertPoint(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
          base = b_.CreateAddrSpaceCast(host("shared", b_.getPtrTy(), {}), variable->getType());
        }
        use.set(base);
      }
      variable->eraseFromParent();
    }
  }

  void add_entry(llvm::Function& kernel) {
    kernel.setCallingConv(llvm::CallingConv::C);
    for (llvm::Argument& argument : kernel.args()) argument.removeAttr(llvm::Attribute::ByVal);  // a map is known by its address
    for (llvm::Function& function : module_)
      for (const char* attribute : {"nvvm.maxntid", "nvvm.minctasm", "nvvm.maxnreg"}) function.removeFnAttr(attribute);
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false);
    auto* entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage, entry_name, module_);
    b_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", entry));
    llvm::SmallVector<Value*, 8> arguments;
    for (llvm::Argument& argument : kernel.args()) {
      Value* slot = b_.CreateConstGEP1_64(b_.getInt64Ty(), entry->getArg(0), argument.getArgNo());
      if (argument.getType()->isPointerTy())
        arguments.push_back(b_.CreateAddrSpaceCast(b_.CreateLoad(b_.getPtrTy(), slot), argument.getType()));
      else
        arguments.push_back(b_.CreateLoad(argument.getType(), slot));  // the low bytes
    }
    b_.CreateCall(&kernel, arguments);
    b_.CreateRetVoid();
  }

  llvm::Module& module_;
  const std::string& entry_;
  llvm::IRBuilder<> b_;
  std::vector<Site> sites_;
  std::string unknown_;
  static constexpr unsigned most_words = 16;
  std::map<llvm::Function*, Value*> words_;
};

}  // namespace

Result<std::vector<Site>> instrument(llvm::Module& module, const std::string& entry) { return Instrumenter(module, entry).run(); }

}  // namespace phobos::emulate
