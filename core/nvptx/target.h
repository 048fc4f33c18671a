// What the machine offers, each as a call of a small named function `phobos.<operation>` that is inlined before code generation.
// The names are the seam between the kernel and the machine: whoever runs the module elsewhere supplies other bodies.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <phobos/ir/ir.h>
#include <phobos/passes/chip.h>
#include <phobos/passes/contraction.h>

namespace phobos::nvptx {

using Builder = llvm::IRBuilder<>;

namespace space {
inline constexpr unsigned global = 1, shared = 3, constant = 4;
}

using passes::Chip;

class Target {
 public:
  // `band`: CTAs walk the grid in bands of so many rows; 0: as the machine does.
  Target(llvm::Module& module, Builder& builder, const Chip& chip, std::int64_t band = 0)
      : module_(module), builder_(builder), chip_(chip), band_(band) {}
  const Chip& chip() const { return chip_; }

  // Defines `phobos.<name>` where it is not there yet: `body` returns the result (null for none), at the builder's place.
  using Body = std::function<llvm::Value*(Builder&, llvm::Function&)>;
  llvm::Value* call(const std::string& name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments, const Body& body,
                    bool inlined = true);

  llvm::Value* special_register(const std::string& name, unsigned intrinsic, int below);  // i32, 0 <= value < below
  llvm::Value* thread(int threads);
  llvm::Value* block(int axis);  // as the kernel counts them
  llvm::Value* blocks(int axis);

  void barrier();
  void trap();
  // Writes down that an index is outside, and stops the kernel (checks.cpp).
  void report_outside(llvm::Value* report, llvm::Value* site, llvm::Value* index, llvm::Value* extent, llvm::Value* thread);
  void fence();  // acquire and release, device scope

  // Any scalar of at most 64 bits; `lane` an i32.
  llvm::Value* shuffle(ir::ShuffleMode mode, llvm::Value* value, llvm::Value* lane);
  llvm::Value* vote(bool all, llvm::Value* predicate);
  llvm::Value* reduce_i32(ir::FoldOp fold, bool is_signed, llvm::Value* value);  // across the warp

  // Accesses that happen only where `mask` holds; a load gives zero elsewhere. `constant`: memory that nobody writes.
  llvm::Value* masked_load(llvm::Type* type, llvm::Value* pointer, llvm::Value* mask, bool constant);
  void masked_store(llvm::Value* value, llvm::Value* pointer, llvm::Value* mask);

  llvm::Value* text(const std::string& text);  // a pointer to it, ended by a zero
  // printf; arguments of i32, i64, f64 and pointers to texts.
  void print(const std::string& format, llvm::ArrayRef<llvm::Value*> arguments);

  // Approximations of the hardware, f32.
  llvm::Value* exp2_f32(llvm::Value* x);    // denormal results and operands flushed
  llvm::Value* rsqrt_f32(llvm::Value* x);
  llvm::Value* divide_f32(llvm::Value* a, llvm::Value* b);
  // Four products of bytes, added to an i32.
  llvm::Value* dot4(bool is_signed, llvm::Value* a, llvm::Value* b, llvm::Value* sum);


  // 16 bytes from global to shared memory, both aligned, that arrive later, where `mask` holds; of these the first `bytes`, the rest
  // 0, where given.
  void copy_async(llvm::Value* to, llvm::Value* from, llvm::Value* bytes, llvm::Value* mask);
  void commit_copies();
  void wait_for_copies(std::int64_t groups);

  using Words = llvm::SmallVector<llvm::Value*, 4>;
  // `count` (2 or 4) matrices of 8 x 8 elements of 16 bits from shared memory: lane l gives the address of row l % 8 of matrix l / 8
  // (16 bytes, aligned), and gets words 2 (l % 4) of row l / 4 of each; `turned`: of the transposed matrices.
  Words load_matrices(llvm::Value* row, int count, bool turned);
  llvm::Value* round_tf32(llvm::Value* x);  // to the nearest, as a word
  llvm::Value* pack_f16(llvm::Value* low, llvm::Value* high);  // of f32, as a word
  // A 16 x 16 (bytes: 16 x 32; f32, which stands for tf32: 16 x 8) block times one of 8 columns, added to four accumulators of f32 or i32.
  Words multiply_matrices(ScalarType element, const Words& a, const Words& b, const Words& sums);

  // Four warps together add to their 64 rows of sums (`sums`: this thread's) the product of 16 columns at `a` and 16 rows at `b`, in
  // shared memory; between `begin_groups` and `commit_groups`, and done when waited for. Bytes: `between` blocks of 64 columns of `b`.
  Words multiply_by_groups(ScalarType element, llvm::Value* a, llvm::Value* b, const passes::Swizzle& of_a, const passes::Swizzle& of_b, bool along_k,
                           std::int64_t between, const Words& sums);
  void begin_groups();
  void commit_groups();
  void wait_for_groups(std::int64_t groups);
  Words held(const Words& words);  // the same, and nothing computed from them before this
  void publish_to_groups();  // what this thread wrote to shared memory, for wgmma to read behind the next barrier

 private:
  llvm::Value* machine_block(int axis);
  Words fields(llvm::Value* all);
  llvm::Value* shuffle_word(ir::ShuffleMode mode, llvm::Value* value, llvm::Value* lane);

  llvm::Module& module_;
  Builder& builder_;
  const Chip& chip_;
  std::int64_t band_;
  std::map<std::string, llvm::GlobalVariable*> texts_;
};

std::string type_name(llvm::Type* type);  // f32, i64, p1 …

}  // namespace phobos::nvptx
