// `--checked`: an access to a single element tests its indices first. Where one is outside, the first thread that finds so writes down
// which access, which index and which thread it was, in memory of the host that the kernel's last parameter names, and stops the
// kernel; whoever comes behind it waits for that.
#include <llvm/IR/InlineAsm.h>

#include "emitter.h"

namespace phobos::nvptx {

using llvm::AtomicOrdering;
using llvm::Value;

void Emitter::check_index(const ir::Op& op, int axis, V index, V extent) {
  V outside = b_.CreateICmpUGE(index, extent);
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(outside); known && known->isZero()) return;
  const ir::ValueId buffer = op.operands[0];
  checks_.push_back({op.span, kernel_[buffer].name, axis});
  const auto site = static_cast<std::int64_t>(checks_.size());
  guarded(outside, [&] { target_.report_outside(report_, i64(site), index, extent, b_.CreateZExt(thread_, b_.getInt64Ty())); });
}

void Emitter::check_point(const ir::Op& op, std::size_t first) {
  if (!report_) return;
  for (std::size_t axis = 0; first + axis < op.operands.size(); ++axis)
    check_index(op, static_cast<int>(axis), as_i64(op.operands[first + axis]), extent(op.operands[0], axis));
}

void Emitter::check_element(const ir::Op& op, ir::ValueId index) {
  if (report_) check_index(op, 0, as_i64(index), b_.CreateMul(extent(op.operands[0], 0), stride(op.operands[0], 0)));
}

void Target::trap() {
  call("trap", builder_.getVoidTy(), {}, [](Builder& b, llvm::Function&) -> Value* {
    b.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(b.getVoidTy(), false), "trap;", "", true));
    return nullptr;
  });
}

// Words of the report: the access's number (what makes it valid), index, extent, thread, block x, y, z, and who writes it.
void Target::report_outside(Value* report, Value* site, Value* index, Value* extent, Value* thread) {
  call("report.outside", builder_.getVoidTy(), {report, site, index, extent, thread}, [&](Builder& b, llvm::Function& function) -> Value* {
    Target inner(*function.getParent(), b, chip_, band_);
    llvm::LLVMContext& context = b.getContext();
    const auto word = [&](unsigned i) { return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), function.getArg(0), i); };
    auto* write = llvm::BasicBlock::Create(context, "write", &function);
    auto* wait = llvm::BasicBlock::Create(context, "wait", &function);
    auto* done = llvm::BasicBlock::Create(context, "done", &function);
    const llvm::Align alignment(8);
    Value* claimed = b.CreateAtomicCmpXchg(word(7), b.getInt64(0), b.getInt64(1), alignment, AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    b.CreateCondBr(b.CreateExtractValue(claimed, 1), write, wait);
    b.SetInsertPoint(write);
    for (unsigned i = 2; i <= 4; ++i) b.CreateAlignedStore(function.getArg(i), word(i - 1), alignment);
    for (int axis = 0; axis < 3; ++axis) b.CreateAlignedStore(b.CreateZExt(inner.block(axis), b.getInt64Ty()), word(4 + static_cast<unsigned>(axis)), alignment);
    b.CreateAlignedStore(function.getArg(1), word(0), alignment)->setAtomic(AtomicOrdering::Release);
    b.CreateBr(done);
    b.SetInsertPoint(wait);
    llvm::LoadInst* written = b.CreateAlignedLoad(b.getInt64Ty(), word(0), alignment);
    written->setAtomic(AtomicOrdering::Acquire);
    b.CreateCondBr(b.CreateICmpEQ(written, b.getInt64(0)), wait, done);
    b.SetInsertPoint(done);
    inner.trap();
    return nullptr;
  }, false);
}

}  // namespace phobos::nvptx
