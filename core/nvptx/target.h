// What the machine offers, each as a call of a small named function `phobos.<operation>` that is inlined before code generation.
// The names are the seam between the kernel and the machine: whoever runs the module elsewhere supplies other bodies.
#pragma once

#include <functional>
#include <map>
#include <optional>
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
  llvm::Value* thread(int threads, bool roles = false);  // of the CTA; with `roles` some are not of the program
  llvm::Value* block(int axis);  // as the kernel counts them
  llvm::Value* blocks(int axis);
  llvm::Value* machine_block(int axis);
  llvm::Value* machine_blocks(int axis);
  // From here on the block that the kernel sees is this one, of a grid of so many.
  struct Place {
    llvm::Value *block[3], *blocks[3];
  };
  void stand_at(const Place& place) { place_ = place; }

  void barrier();
  // Of some of the CTA's threads, so many, by its number below 16; who arrives does not wait.
  void group_barrier(llvm::Value* number, std::int64_t threads);
  void arrive_at_group_barrier(llvm::Value* number, std::int64_t threads);
  // The CTA's threads have roles: `barrier` is that one from here on.
  void set_team(llvm::Value* number, std::int64_t threads) {
    team_ = number;
    team_threads_ = threads;
  }
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

  // A matrix in shared memory as groups of warps read it: where it begins, its swizzle, and bytes from one block of columns to the next
  // where it is read across k. 16 bytes further on are one more.
  llvm::Value* descriptor(llvm::Value* pointer, const passes::Swizzle& swizzle, std::int64_t between = 16);
  // A product of four warps together, 64 rows by the columns of `sums` (this thread's), 32 bytes along k. The second operand lies in shared
  // memory, along k or across it; the first there, along k, or in registers: of this lane the four words of a block of 16 rows, as
  // `multiply_matrices` has them. f32 stands for tf32: the lowest bits of elements in shared memory are not looked at.
  struct GroupProduct {
    ScalarType element;
    std::int64_t columns = 0;
    bool along_k = false;
    bool from_zero = false;  // the sums are the product alone
  };
  // `a`: the descriptor, or the words; `b`: a descriptor. Between `begin_groups` and `commit_groups`, and done when waited for.
  Words multiply_by_groups(const GroupProduct& product, const Words& a, llvm::Value* b, const Words& sums);
  void begin_groups();
  void commit_groups();
  void wait_for_groups(std::int64_t groups);
  Words held(const Words& words);  // the same, and nothing computed from them before this
  // Barriers of copies, words of 64 bits in shared memory. Each has phases, which end when as many have arrived as it was made for, and
  // the bytes that were expected are there. Who waits says for which, from 0 on (-1: the one before, which is over), and the machine looks
  // at the lowest bit of that.
  void make_phases(llvm::Value* barrier, std::int64_t arrivals);
  void publish_phases();  // by who made them, before a barrier of all
  void expect(llvm::Value* barrier, std::int64_t bytes);  // and arrive
  void arrive(llvm::Value* barrier);
  void wait_for_phase(llvm::Value* barrier, llvm::Value* phase);
  // A box of a tensor, whose extents and swizzle its map has, from the element at (x, y): into shared memory, where `barrier` is told of
  // it; and back, as part of a group.
  void load_box(llvm::Value* to, llvm::Value* map, llvm::Value* barrier, llvm::Value* x, llvm::Value* y);
  void store_box(llvm::Value* map, llvm::Value* from, llvm::Value* x, llvm::Value* y);
  void commit_boxes();
  void wait_for_boxes(std::int64_t groups, bool read);  // until at most so many groups are under way, or not yet read
  // Four matrices of 8 x 8 elements of 16 bits into shared memory, as load_matrices has them.
  void store_matrices(llvm::Value* row, const Words& words);
  llvm::Value* elect();  // one thread of the warp, all of which are here
  void set_registers(int count, bool more);  // of each thread of this group of four warps
  void publish_to_groups();  // what this thread wrote to shared memory, for wgmma to read behind the next barrier

 private:
  Words fields(llvm::Value* all);
  llvm::Value* shuffle_word(ir::ShuffleMode mode, llvm::Value* value, llvm::Value* lane);

  llvm::Module& module_;
  Builder& builder_;
  const Chip& chip_;
  std::int64_t band_;
  std::optional<Place> place_;
  llvm::Value* team_ = nullptr;
  std::int64_t team_threads_ = 0;
  std::map<std::string, llvm::GlobalVariable*> texts_;
};

std::string type_name(llvm::Type* type);  // f32, i64, p1 …

}  // namespace phobos::nvptx
