// Contractions of f32 by `wgmma` (groups.cpp), whose operands come by bulk copies (bulk.cpp). From shared memory it takes tf32 that lies along k,
// which A does and a row-major B does not. So groups multiply the transpose: B is the first operand, by way of registers, A the second, and each
// group has columns of the result of its own. To compute with B what there is to compute costs nothing more then.
//
// Where f32 may not be rounded, x is high + low: high is what the tensor cores see of x, which cut off its lowest 13 bits, and low what
// is left. Three products make one: high by high, low by high, high by low; the fourth is below the last bit. Low parts of B are made in
// registers, those of A by a third role, the warps of the producer that ask for nothing:
//
//   full: the copies of a stage are there  ->  low parts of A beside it  ->  ready: as many arrivals as threads  ->  multiply  ->  empty
//
// Tensor cores also cut off what they add, so errors grow with the number of additions. Each 32 of k are summed from 0 on and
// added to what was there in plain registers.
#include <algorithm>

#include <llvm/IR/Intrinsics.h>

#include "dot.h"

namespace phobos::nvptx {

using llvm::Value;

namespace {

constexpr std::int64_t step = 8;  // of k, in one multiplication
constexpr std::int64_t last_seen = 0x2000, seen = 0xffffffff - (last_seen - 1);  // of a word of f32, by the tensor cores

}  // namespace

// Behind those that the ring has anyway.
Value* Emitter::ready_barrier(V stage) { return element(ring_barrier(0, true, i32(bulk_->rings[0].stages)), ScalarType::I64, stage); }

// What a lane has of B as the first operand, four words for each 64 columns of its group and 8 of the `count` rows from `first` on along k: columns of
// slots 0 and 1 in row lane % 4, then in the row 4 further on.
Parts Emitter::words_of_second(const Dot& dot, V b, std::int64_t first, std::int64_t count) {
  const passes::Swizzle& swizzle = bulk_->rings[0].operands[1].swizzle;
  V quarter = b_.CreateAnd(thread_, i32(3));
  Parts words;
  for (std::int64_t block = 0; block < dot.out->columns.slot_count() / 2; ++block)
    for (std::int64_t at = first; at < first + count; at += step)
      for (std::int64_t half = 0; half < 2; ++half) {
        if (dot.how.transposed) {
          for (std::int64_t i = 0; i < 2; ++i) {
            V place = swizzled(swizzle, dot.how.n, dot.element, column(*dot.out, 2 * block + i), b_.CreateAdd(quarter, i32(at + 4 * half), "", true, true));
            words.push_back(b_.CreateAlignedLoad(b_.getInt32Ty(), element(b, dot.element, place), llvm::Align(4)));
          }
          continue;
        }
        // Every 8 rows the order of the pieces is the same again.
        V place = swizzled(swizzle, dot.how.k, dot.element, b_.CreateAdd(quarter, i32(4 * half), "", true, true), column(*dot.out, 2 * block));
        V pair = element(element(b, dot.element, place), ScalarType::U8, i32(at * swizzle.row));
        V both = b_.CreateAlignedLoad(llvm::FixedVectorType::get(b_.getInt32Ty(), 2), pair, llvm::Align(8));
        for (std::uint64_t i = 0; i < 2; ++i) words.push_back(b_.CreateExtractElement(both, i));
      }
  return words;
}

// What is left of x, in magnitude at least 2^-136, the least that tensor cores see, or x itself. So it is 0 only where x is, and has its sign, and
// an infinity times it is an infinity of the right sign or no number, as it is times x: of an infinity, of which nothing is left, it is that least.
// Of its 13 bits 11 are seen. Half of the last of those makes rounding of cutting; a third of it more is, on average, this operand's half of what the
// fourth product would have added. What is left of the largest numbers is not rounded to more than that.
Value* Emitter::low_part(V word) {
  constexpr double most = 0x1.ffcp116;
  llvm::Type* real = b_.getFloatTy();
  const auto magnitude = [&](V value) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); };
  V x = b_.CreateBitCast(word, real), high = b_.CreateBitCast(b_.CreateAnd(word, i32(seen)), real);
  V least = b_.CreateIntrinsic(llvm::Intrinsic::minimum, {real}, {magnitude(x), llvm::ConstantFP::get(real, 0x1p-136)});
  V rest = b_.CreateIntrinsic(llvm::Intrinsic::maxnum, {real}, {magnitude(b_.CreateFSub(x, high)), least});
  V rounded = b_.CreateBitCast(b_.CreateAdd(b_.CreateBitCast(rest, b_.getInt32Ty()), i32(last_seen * 5 / 6)), real);
  V low = b_.CreateIntrinsic(llvm::Intrinsic::minnum, {real}, {rounded, llvm::ConstantFP::get(real, most)});
  return b_.CreateOr(b_.CreateBitCast(low, b_.getInt32Ty()), b_.CreateAnd(word, i32(std::int64_t{1} << 31)));
}

// A turn of the loop: adds what the stage holds, and gives it back.
Parts Emitter::multiply_swapped(const Dot& dot, Parts sums) {
  const bool all = dot.how.products == 3;
  const passes::Swizzle& of_a = bulk_->rings[0].operands[0].swizzle;
  wait_for_stage(0, false);
  V stage = stage_of(0), b = operand_at(0, 1, stage);
  const auto columns_of = [&](std::size_t which) { return target_.descriptor(operand_at(0, which, stage), of_a); };
  V a = columns_of(0), low_a = all ? columns_of(2) : nullptr;
  const std::int64_t columns = dot.out->columns.slot_count(), blocks = columns / 2;
  const auto count = static_cast<std::size_t>(dot.how.m / 2);
  // Of the machine's i-th sum in 64 columns: it is of 8 rows i / 4, in them of row i % 2, and of column i / 2 % 2.
  const auto slot = [&](std::int64_t block, std::size_t i) { return static_cast<std::size_t>(2 * block) + i / 2 % 2 + (i / 4 * 2 + i % 2) * static_cast<std::size_t>(columns); };
  for (std::int64_t first = 0; first < dot.how.k; first += passes::piece_of_swapped) {
    const std::int64_t rows = std::min(passes::piece_of_swapped, dot.how.k - first);
    Parts high = words_of_second(dot, b, first, rows), low;
    if (all)
      for (V word : high) low.push_back(low_part(word));
    if (all && first == 0) target_.wait_for_phase(ready_barrier(stage), b_.CreateLoad(b_.getInt32Ty(), positions_[0].phase));
    // In their registers before anything is multiplied: the assembler would wait for the products under way to write one.
    high = target_.held(high);
    low = target_.held(low);
    target_.begin_groups();
    Parts products;  // of the blocks, one behind the other
    for (std::int64_t block = 0; block < blocks; ++block) {
      Parts mine;
      for (std::size_t i = 0; i < count && !all; ++i) mine.push_back(sums[slot(block, i)]);
      const auto multiply = [&](const Parts& words, V other) {
        for (std::int64_t at = 0; at < rows; at += step) {
          const auto* four = words.begin() + (block * rows + at) / step * 4;
          const std::int64_t bytes = (first + at) * size_of(dot.element), away = bytes / of_a.row * dot.how.m * of_a.row + bytes % of_a.row;
          mine = target_.multiply_by_groups({dot.element, dot.how.m, true, mine.empty()}, Parts(four, four + 4), b_.CreateAdd(other, i64(away / 16)), mine);
        }
      };
      if (all) {  // the small ones first, since what is cut off depends on what is there
        multiply(low, a);
        multiply(high, low_a);
      }
      multiply(high, a);
      products.append(mine);
    }
    target_.commit_groups();
    target_.wait_for_groups(0);
    products = target_.held(products);
    for (std::int64_t block = 0; block < blocks; ++block)
      for (std::size_t i = 0; i < count; ++i) {
        V product = products[static_cast<std::size_t>(block) * count + i];
        sums[slot(block, i)] = all ? b_.CreateFAdd(sums[slot(block, i)], product) : product;
      }
  }
  guarded(leads_group_, [&] { target_.arrive(ring_barrier(0, true, stage)); });
  next_stage(0);
  return sums;
}

void Emitter::emit_swapped_loop(const ir::Op& op, const Dot& dot) {
  V count = turns_at_least_one(op);
  take_turn();
  Parts sums = turn_after_turn(count, parts(op.operands[3]), [&](V, const Parts& carried) { return multiply_swapped(dot, carried); });
  pass_turn();
  if (bulk_->teams > 1) skip_stages(count);
  unflatten(op.results, sums);
}

// The third role: as many turns as the producer has, in the same blocks of the grid.
void Emitter::make_low_parts() {
  for (llvm::AllocaInst* one : {positions_[0].stage, positions_[0].phase}) b_.CreateStore(i32(0), one);
  walk_blocks(target_.machine_block(0), target_.machine_blocks(0), [&] {
    const ir::Op& loop = kernel_[bulk_->loop];
    std::map<std::uint32_t, bool> known;
    for (std::size_t i = 0; i < 3; ++i) emit_scalar(loop.operands[i], known);
    repeat(i64(0), turns_at_least_one(loop), i64(1), {}, [&](V, const Parts&) -> Parts {
      V stage = stage_of(0);
      wait_for_stage(0, false);
      make_low_parts_of_stage(stage);
      target_.publish_to_groups();
      target_.arrive(ready_barrier(stage));
      next_stage(0);
      return {};
    });
  });
}

// 16 bytes at a time, four of them under way.
void Emitter::make_low_parts_of_stage(V stage) {
  constexpr std::int64_t chunk = 16, threads = passes::BulkPlan::low_threads, at_once = 4;
  const std::int64_t chunks = bulk_->rings[0].low_bytes / chunk, whole = chunks / threads;
  auto* four = llvm::FixedVectorType::get(b_.getInt32Ty(), 4);
  V number = b_.CreateSub(all_threads_, i32(bulk_->consumers(kernel_) + passes::BulkPlan::producers - threads));
  V from = element(operand_at(0, 0, stage), ScalarType::U8, b_.CreateMul(number, i32(chunk)));
  V to = element(from, ScalarType::U8, i32(bulk_->rings[0].copied_bytes()));
  const auto convert = [&](V away, std::int64_t count) {
    std::vector<V> loaded;
    const auto place = [&](V base, std::int64_t i) { return element(element(base, ScalarType::U8, away), ScalarType::U8, i32(i * threads * chunk)); };
    for (std::int64_t i = 0; i < count; ++i) loaded.push_back(b_.CreateAlignedLoad(four, place(from, i), llvm::Align(16)));
    for (std::int64_t i = 0; i < count; ++i) {
      V low = llvm::PoisonValue::get(four);
      for (std::uint64_t word = 0; word < 4; ++word) low = b_.CreateInsertElement(low, low_part(b_.CreateExtractElement(loaded[static_cast<std::size_t>(i)], word)), word);
      b_.CreateAlignedStore(low, place(to, i), llvm::Align(16));
    }
  };
  const std::int64_t turns = whole / at_once, left = whole % at_once;
  if (turns > 0)
    repeat(i32(0), i32(turns * at_once * threads * chunk), i32(at_once * threads * chunk), {}, [&](V away, const Parts&) -> Parts {
      convert(away, at_once);
      return {};
    });
  V done = i32(turns * at_once * threads * chunk);
  if (left > 0) convert(done, left);
  if (const std::int64_t rest = chunks % threads) guarded(b_.CreateICmpULT(number, i32(rest)), [&] { convert(i32(whole * threads * chunk), 1); });
}

}  // namespace phobos::nvptx
