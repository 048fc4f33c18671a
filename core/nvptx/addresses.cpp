#include "addresses.h"

#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace phobos::nvptx {

namespace {

using llvm::Instruction;
using llvm::Value;

// An index as `from * factor + offset`.
struct Linear {
  Value* from;
  std::uint64_t factor = 1, offset = 0;
  bool elsewhere = false;  // a scaling stands in another block
};

std::optional<std::uint64_t> constant(const Value* value) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known && known->getBitWidth() == 64 ? std::optional(known->getZExtValue()) : std::nullopt;
}

Linear linear(Value* index, const llvm::BasicBlock* user) {
  Linear found{index};
  for (auto* made = llvm::dyn_cast<Instruction>(index); made; made = llvm::dyn_cast<Instruction>(found.from)) {
    if (made->getNumOperands() != 2) break;
    const std::optional<std::uint64_t> by = constant(made->getOperand(1));
    if (!by) break;
    const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(made);
    if (made->getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint())) {
      found.offset += found.factor * *by;
    } else if (made->getOpcode() == Instruction::Mul || (made->getOpcode() == Instruction::Shl && *by < 64)) {
      found.factor *= made->getOpcode() == Instruction::Mul ? *by : std::uint64_t{1} << *by;
      found.elsewhere |= made->getParent() != user;
    } else {
      break;
    }
    found.from = made->getOperand(0);
  }
  return found;
}

bool scale_once(llvm::GetElementPtrInst& address, const llvm::DataLayout& layout) {
  if (address.getNumIndices() != 1 || !address.getOperand(1)->getType()->isIntegerTy(64)) return false;
  const std::uint64_t size = layout.getTypeAllocSize(address.getSourceElementType()).getFixedValue();
  const Linear index = linear(address.getOperand(1), address.getParent());
  if (size == 1 || !index.elsewhere) return false;
  llvm::IRBuilder<> b(&address);
  Value* made = b.CreateGEP(b.getInt8Ty(), address.getPointerOperand(), b.CreateMul(index.from, b.getInt64(index.factor * size)));
  if (index.offset != 0) made = b.CreateGEP(b.getInt8Ty(), made, b.getInt64(index.offset * size));
  address.replaceAllUsesWith(made);
  return true;
}

}  // namespace

llvm::PreservedAnalyses ScaleOnce::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  llvm::SmallVector<Instruction*, 32> replaced;
  for (llvm::BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address && scale_once(*address, layout)) replaced.push_back(address);
  for (Instruction* instruction : replaced) instruction->eraseFromParent();
  if (replaced.empty()) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace phobos::nvptx
