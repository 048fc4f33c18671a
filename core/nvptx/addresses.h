#pragma once

#include <llvm/IR/PassManager.h>

namespace phobos::nvptx {

// Scales the index of each address once. LLVM selects block by block, so that an index that was scaled in one block, by the extent of a
// row, would be scaled again in the block of the access, by the size of an element. Of two such shifts of 64 bits in a row ptxas 13.0
// makes, from -O2 on and once in some two thousand random programs, code that overwrites the first one's result before it has used it.
struct ScaleOnce : llvm::PassInfoMixin<ScaleOnce> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace phobos::nvptx
