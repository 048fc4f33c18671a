// A loop over two contractions of which the second takes what the first gave, reworked in registers: attention, and what is like it.
//
//   for each turn                       S = Q K[turn];  P = rounded(f(S));  O = g(O);  O = O + P V[turn]
//
// The second contraction of a turn goes together with the first of the next, so that the tensor cores have work while the scores are
// reworked; and groups of four warps take turns to ask for both, so that one group's work covers the other's:
//
//   wait for K[turn], for this group's turn       S = Q K[turn]
//   wait for V[turn - 1]                          O = O + P V[turn - 1]
//   pass the turn on, wait until S is over, give the stage of K back
//     f(S), while O is under way
//   wait until O is over, give the stage of V back
//     O = g(O), P = rounded
//
// The scores lie in registers as the second contraction takes its first operand, but for being rounded. `P` is written when nothing is
// under way: else the assembler would wait for each multiplication.
// Selections under a condition on places (`at + iota < N`, a causal mask) hold throughout most turns; which those are follows from the
// bounds of both sides, and such a turn is done by code without the selections.
// After J. Shah et al., "FlashAttention-3" (2024), section 3.
#include <algorithm>
#include <numbers>
#include <set>

#include <llvm/IR/Intrinsics.h>

#include "dot.h"
#include "roles.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

namespace {

// The rings, in the order of the plan.
constexpr std::size_t ring_of_q = 0, ring_of_k = 1, ring_of_v = 2;

bool reads(const ir::Op& op, ir::ValueId value) { return std::find(op.operands.begin(), op.operands.end(), value) != op.operands.end(); }

}  // namespace

struct Emitter::Chain {
  const ir::Op *loop, *first, *second, *yield;
  Dot scores, sums;
  std::vector<ir::OpId> between, behind;  // of a turn: before the sums may be touched, and after
  std::vector<ir::ValueId> needed;        // that are made between and read later
  std::size_t at = 0;                     // of the sums, among what is carried
  std::vector<Partial> partial;           // sums of rows that stay spread over the lanes of a row until the loop is over
  ir::ValueId rounded;                    // what the second contraction's first operand is made of behind; none: made between

  ir::ValueId variable(const ir::Kernel& kernel) const { return kernel[loop->regions[0]].arguments[0]; }
  // What is carried beside the sums: values at the end of a turn, or arguments of the loop's region.
  std::vector<ir::ValueId> others(const std::vector<ir::ValueId>& values, std::size_t from) const {
    std::vector<ir::ValueId> rest;
    for (std::size_t i = from; i < values.size(); ++i)
      if (i - from != at) rest.push_back(values[i]);
    return rest;
  }
};

Emitter::Chain Emitter::plan_chain(const ir::Op& loop) {
  Chain chain;
  const ir::Region& body = kernel_[loop.regions[0]];
  chain.loop = &loop;
  chain.first = &kernel_[bulk_->first];
  chain.second = &kernel_[bulk_->dot];
  chain.yield = &kernel_[body.ops.back()];
  for (const ir::ValueId in_memory : {chain.first->operands[0], chain.first->operands[1], chain.second->operands[1]}) matrices_[in_memory.value] = {shared_, 0};
  current_ = chain.first;
  chain.scores = plan_dot(*chain.first);
  note_dot(chain.scores);
  current_ = chain.second;
  chain.sums = plan_dot(*chain.second);
  note_dot(chain.sums);
  const std::vector<ir::ValueId>& yielded = chain.yield->operands;
  chain.at = static_cast<std::size_t>(std::find(yielded.begin(), yielded.end(), chain.second->results[0]) - yielded.begin());

  // Weights are rounded last, where nothing else looks at what they are rounded to.
  const ir::ValueId weights = chain.second->operands[0];
  const ir::OpId made = kernel_[weights].op;
  const auto readers = std::count_if(body.ops.begin(), body.ops.end(), [&](ir::OpId id) { return reads(kernel_[id], weights); });
  const bool rounds = made_inside(kernel_, loop, weights) && made.valid() && kernel_[made].code == Opcode::Convert && readers == 1;
  if (rounds) chain.rounded = kernel_[made].operands[0];
  std::set<std::uint32_t> from_sums{body.arguments[chain.at + 1].value};
  for (const ir::OpId id : body.ops) {
    const ir::Op& op = kernel_[id];
    if (id == bulk_->first || id == bulk_->dot || op.code == Opcode::TileLoad || op.code == Opcode::Yield) continue;
    const bool follows = std::any_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) { return from_sums.contains(operand.value); });
    if (follows) from_sums.insert(op.results[0].value);
    (follows || (rounds && id == made) ? chain.behind : chain.between).push_back(id);
  }
  for (const ir::OpId id : chain.between) {
    const ir::ValueId value = kernel_[id].results[0];
    const bool later = std::any_of(chain.behind.begin(), chain.behind.end(), [&](ir::OpId other) { return reads(kernel_[other], value); });
    if (later || reads(*chain.second, value) || reads(*chain.yield, value)) chain.needed.push_back(value);
  }
  for (std::size_t i = 0; i < yielded.size(); ++i)
    if (const ir::Op* fold = i == chain.at ? nullptr : partial_fold(loop, i)) chain.partial.push_back({i, fold});
  return chain;
}

// The fold where a carried column of f32 is a sum of rows to which each turn adds, maybe after it was scaled, and which the loop does not look
// at: c = c * a + rowsum(w). Each lane can have its own part of that.
const ir::Op* Emitter::partial_fold(const ir::Op& loop, std::size_t carried) const {
  const ir::Region& body = kernel_[loop.regions[0]];
  const auto only_reader = [&](ir::ValueId value) -> const ir::Op* {
    const ir::Op* reader = nullptr;
    for (const ir::OpId id : body.ops)
      for (const ir::ValueId operand : kernel_[id].operands)
        if (operand == value) {
          if (reader) return nullptr;
          reader = &kernel_[id];
        }
    return reader;
  };
  const ir::ValueId argument = body.arguments[carried + 1], next = kernel_[body.ops.back()].operands[carried];
  if (!type(argument).is_tile() || type(argument).element != ScalarType::F32 || type(argument).shape.back() != 1) return nullptr;
  const ir::Op* sum = only_reader(argument);
  if (sum && sum->code == Opcode::Mul) sum = only_reader(sum->results[0]);
  if (!sum || sum->code != Opcode::Add || sum->results[0] != next || only_reader(next) != &kernel_[body.ops.back()]) return nullptr;
  for (const ir::ValueId operand : sum->operands) {
    const ir::OpId made = kernel_[operand].op;
    if (!made.valid() || kernel_[made].code != Opcode::RowFold || static_cast<ir::FoldOp>(kernel_[made].immediate) != ir::FoldOp::Sum) continue;
    if (!made_inside(kernel_, loop, operand) || only_reader(operand) != sum || folded(layout(kernel_[made].operands[0])) != layout(operand)) continue;
    return &kernel_[made];
  }
  return nullptr;
}

// What the lanes of a row share of a column: each an equal part, which scaling by an infinity keeps infinite. And back.
Parts Emitter::spread(const Partial& partial, const Parts& column) {
  std::int64_t lanes = 1;
  for (const Digit& digit : layout(partial.fold->operands[0]).columns.threads) lanes *= digit.count;
  Parts parts;
  for (V value : column) parts.push_back(b_.CreateFMul(value, llvm::ConstantFP::get(b_.getFloatTy(), 1.0 / static_cast<double>(lanes))));
  return parts;
}

Parts Emitter::gathered(const Partial& partial, const Parts& parts) {
  Parts column;
  for (V value : parts) {
    for (const Digit& digit : layout(partial.fold->operands[0]).columns.threads)
      value = math_.fold_lanes(ir::FoldOp::Sum, ScalarType::F32, value, static_cast<int>(digit.count), static_cast<int>(digit.divisor));
    column.push_back(value);
  }
  return column;
}

// Q for the block, K of the first turn before it; then K of each turn and V of the one before.
void Emitter::produce_chain(const std::map<std::uint32_t, bool>& known) {
  V count = turns(kernel_[bulk_->loop]);
  guarded(b_.CreateICmpNE(count, i64(0)), [&] {
    load_stage(ring_of_k, i64(0), known);
    load_stage(ring_of_q, i64(0), known);
    repeat(i64(1), count, i64(1), {}, [&](V turn, const Parts&) -> Parts {
      load_stage(ring_of_k, turn, known);
      load_stage(ring_of_v, b_.CreateSub(turn, i64(1)), known);
      return {};
    });
    load_stage(ring_of_v, b_.CreateSub(count, i64(1)), known);
  });
}

// The first group's turn comes first: it has arrived at its own barrier.
void Emitter::begin_group_turns() {
  guarded(b_.CreateICmpEQ(group_, i32(0)), [&] { target_.arrive_at_group_barrier(i32(roles::first_turn_barrier), 2 * roles::group); });
}

Parts Emitter::multiply_scores(const Chain& chain) {
  const passes::BulkPlan::Operand &q = bulk_->rings[ring_of_q].operands[0], &k = bulk_->rings[ring_of_k].operands[0];
  V a = group_rows(chain.scores, q, operand_at(ring_of_q, 0, stage_of(ring_of_q)));
  return multiply_by_groups(chain.scores, {a}, operand_at(ring_of_k, 0, stage_of(ring_of_k)), q.swizzle, k.swizzle, {});
}

Parts Emitter::multiply_weights(const Chain& chain, const Parts& words, const Parts& sums) {
  return multiply_by_groups(chain.sums, words, operand_at(ring_of_v, 0, stage_of(ring_of_v)), {}, bulk_->rings[ring_of_v].operands[0].swizzle, sums);
}

void Emitter::give_back(std::size_t ring) {
  guarded(leads_group_, [&] { target_.arrive(ring_barrier(ring, true, stage_of(ring))); });
  next_stage(ring);
}

// A scalar of the loop, with what it follows from there.
void Emitter::emit_inside(ir::ValueId value, std::map<std::uint32_t, bool>& known) {
  const ir::OpId made = kernel_[value].op;
  if (!made_inside(kernel_, *chain_->loop, value) || !made.valid() || !known.emplace(value.value, true).second) return;
  for (const ir::ValueId operand : kernel_[made].operands) emit_inside(operand, known);
  emit(made, kernel_[made]);
}

// The least and the most that a tile of integers has, where they follow from scalars. Sums wrap as those of the tile do: where the least is
// more than the most, neither is one.
std::optional<std::pair<Value*, Value*>> Emitter::bounds(ir::ValueId tile) {
  const ir::OpId made = kernel_[tile].op;
  if (!made.valid() || !is_integer(type(tile).element)) return std::nullopt;
  const ir::Op& op = kernel_[made];
  llvm::Type* word = type_of(context_, type(tile).element);
  switch (op.code) {
    case Opcode::Splat: {
      if (made_inside(kernel_, *chain_->loop, op.operands[0])) {
        std::map<std::uint32_t, bool> known;
        emit_inside(op.operands[0], known);
      }
      V one = b_.CreateIntCast(scalar(op.operands[0]), word, is_signed(type(op.operands[0]).element));
      return std::pair(one, one);
    }
    case Opcode::Broadcast: return bounds(op.operands[0]);
    case Opcode::Iota: {
      const std::int64_t extent = type(tile).shape[static_cast<std::size_t>(op.immediate)];
      return std::pair<V, V>(llvm::ConstantInt::get(word, 0), llvm::ConstantInt::get(word, static_cast<std::uint64_t>(extent - 1)));
    }
    case Opcode::Convert: {
      if (!is_integer(type(op.operands[0]).element) || size_of(type(op.operands[0]).element) > size_of(type(tile).element)) return std::nullopt;
      const auto of = bounds(op.operands[0]);
      if (!of) return std::nullopt;
      const bool sign = is_signed(type(op.operands[0]).element);
      return std::pair(b_.CreateIntCast(of->first, word, sign), b_.CreateIntCast(of->second, word, sign));
    }
    case Opcode::Add:
    case Opcode::Sub: {
      const auto a = bounds(op.operands[0]), b = bounds(op.operands[1]);
      if (!a || !b) return std::nullopt;
      if (op.code == Opcode::Add) return std::pair(b_.CreateAdd(a->first, b->first), b_.CreateAdd(a->second, b->second));
      return std::pair(b_.CreateSub(a->first, b->second), b_.CreateSub(a->second, b->first));
    }
    default: return std::nullopt;
  }
}

// Whether a condition holds for each element of the tile; null: that is not known before.
Value* Emitter::always(ir::ValueId condition) {
  const ir::OpId made = kernel_[condition].op;
  if (!made.valid()) return nullptr;
  const ir::Op& op = kernel_[made];
  switch (op.code) {
    case Opcode::Broadcast: return always(op.operands[0]);
    case Opcode::And: {
      V a = always(op.operands[0]), b = a ? always(op.operands[1]) : nullptr;
      return b ? b_.CreateAnd(a, b) : nullptr;
    }
    case Opcode::CmpLt:
    case Opcode::CmpLe:
    case Opcode::CmpGt:
    case Opcode::CmpGe: {
      const auto a = bounds(op.operands[0]), b = a ? bounds(op.operands[1]) : std::nullopt;
      if (!b) return nullptr;
      const ScalarType element = type(op.operands[0]).element;
      const bool less = op.code == Opcode::CmpLt || op.code == Opcode::CmpLe;
      V holds = math_.elementwise(op.code, element, ScalarType::Bool, {less ? a->second : a->first, less ? b->first : b->second});
      for (const auto& [least, most] : {*a, *b}) holds = b_.CreateAnd(holds, math_.elementwise(Opcode::CmpLe, element, ScalarType::Bool, {least, most}));
      return holds;
    }
    default: return nullptr;
  }
}

// exp(c x - y) = 2^(x c log2 e - y log2 e), by one multiply-add and the machine's 2^x: what is rounded to 16 bits, and summed, needs no more.
bool Emitter::emit_fast_exp(const ir::Op& op) {
  if (op.code != Opcode::Exp || type(op.results[0]).element != ScalarType::F32 || !type(op.results[0]).is_tile() || kernel_.precise) return false;
  const ir::OpId made = kernel_[op.operands[0]].op;
  const ir::Op* difference = made.valid() && kernel_[made].code == Opcode::Sub && made_inside(kernel_, *chain_->loop, op.operands[0]) ? &kernel_[made] : nullptr;
  V log2e = llvm::ConstantFP::get(b_.getFloatTy(), std::numbers::log2e), scale = log2e;
  ir::ValueId power = difference ? difference->operands[0] : op.operands[0];
  if (whole_turn_)
    if (const auto of = scaled(power)) {
      power = of->tile;
      scale = b_.CreateFMul(of->factor, log2e);
    }
  Parts powers;
  for (std::size_t i = 0; i < part_count(op.results[0]); ++i) {
    V x = parts(power)[i];
    V y = difference ? b_.CreateFNeg(b_.CreateFMul(parts(difference->operands[1])[i], log2e)) : llvm::ConstantFP::get(b_.getFloatTy(), -0.0);
    powers.push_back(target_.exp2_f32(b_.CreateIntrinsic(llvm::Intrinsic::fma, {b_.getFloatTy()}, {x, scale, y})));
  }
  define(op, std::move(powers));
  return true;
}

// A tile of f32 that is another one times a scalar, in a whole turn.
std::optional<Emitter::Scaled> Emitter::scaled(ir::ValueId tile) {
  for (;;) {
    const ir::OpId made = kernel_[tile].op;
    if (!made.valid() || type(tile).element != ScalarType::F32 || !made_inside(kernel_, *chain_->loop, tile)) return std::nullopt;
    const ir::Op& op = kernel_[made];
    if (whole_selections_.contains(&op)) {
      tile = op.operands[1];
      continue;
    }
    if (op.code != Opcode::Mul) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
      ir::ValueId factor = op.operands[i];
      while (kernel_[factor].op.valid() && kernel_[kernel_[factor].op].code == Opcode::Broadcast) factor = kernel_[kernel_[factor].op].operands[0];
      const ir::OpId splat = kernel_[factor].op;
      if (splat.valid() && kernel_[splat].code == Opcode::Splat && !made_inside(kernel_, *chain_->loop, kernel_[splat].operands[0])) return Scaled{op.operands[1 - i], scalar(kernel_[splat].operands[0])};
    }
    return std::nullopt;
  }
}

// The largest of what is multiplied by a positive number is the largest, multiplied: rounding keeps the order.
bool Emitter::emit_scaled_maximum(const ir::Op& op) {
  if (!whole_turn_ || op.code != Opcode::RowFold || static_cast<ir::FoldOp>(op.immediate) != ir::FoldOp::Max) return false;
  const auto of = scaled(op.operands[0]);
  if (!of) return false;
  const Layout& from = layout(of->tile);
  Parts rows = fold_rows(ir::FoldOp::Max, ScalarType::F32, parts(of->tile), from);
  rows = target_.held(rows);  // of both rows at once: else one row's powers would be made before the other's maximum
  for (V& row : rows) row = b_.CreateFMul(row, of->factor);
  define(op, relayout(rows, ScalarType::F32, folded(from), layout(op.results[0])));
  return true;
}

void Emitter::emit_in_chain(ir::OpId id) {
  const ir::Op& op = kernel_[id];
  if (whole_turn_ && whole_selections_.contains(&op)) return define(op, parts(op.operands[1]));
  locate(op);
  current_ = &op;
  current_id_ = id;
  if (std::any_of(chain_->partial.begin(), chain_->partial.end(), [&](const Partial& one) { return one.fold == &op; }))
    return define(op, fold_slots(ir::FoldOp::Sum, ScalarType::F32, parts(op.operands[0]), layout(op.operands[0])));
  if (!emit_fast_exp(op) && !emit_scaled_maximum(op)) emit(id, op);
}

// Whether this turn is whole: no selection fails, and factors of what is folded are such that they may be multiplied by later. Null: nothing
// depends on it.
Value* Emitter::whole_turn(const Chain& chain) {
  V whole = nullptr;
  whole_selections_.clear();
  for (const ir::OpId id : chain.between) {
    const ir::Op& op = kernel_[id];
    if (op.code == Opcode::Select && type(op.results[0]).is_tile())
      if (V holds = always(op.operands[0])) {
        whole = both(whole, holds);
        whole_selections_.insert(&op);
      }
    if (op.code != Opcode::RowFold || static_cast<ir::FoldOp>(op.immediate) != ir::FoldOp::Max) continue;
    if (const auto of = scaled(op.operands[0])) {
      llvm::Type* real = b_.getFloatTy();
      V positive = b_.CreateFCmpOGT(of->factor, llvm::ConstantFP::get(real, 0.0)), finite = b_.CreateFCmpOLT(of->factor, llvm::ConstantFP::getInfinity(real));
      whole = both(whole, b_.CreateAnd(positive, finite));
    }
  }
  return whole;
}

void Emitter::emit_between(const Chain& chain) {
  V whole = whole_turn(chain);
  const auto emit_all = [&] {
    for (const ir::OpId id : chain.between) emit_in_chain(id);
  };
  if (!whole) return emit_all();
  Join met = join("scores");
  auto* plain = llvm::BasicBlock::Create(context_, "whole", function_);
  auto* selected = llvm::BasicBlock::Create(context_, "selected", function_);
  b_.CreateCondBr(whole, plain, selected);
  for (auto* block : {plain, selected}) {
    b_.SetInsertPoint(block);
    whole_turn_ = block == plain;
    emit_all();
    jump(met, flatten(chain.needed));
  }
  whole_turn_ = false;
  unflatten(chain.needed, arrive(met, chain.needed));
}

Parts Emitter::weight_words(const Chain& chain) {
  Parts words;
  for (std::int64_t step = 0; step < chain.sums.how.k / chain.sums.step; ++step) words.append(fragment_from_slots(chain.sums, 0, step));
  return words;
}

void Emitter::emit_behind(const Chain& chain) {
  for (const ir::OpId id : chain.behind) emit_in_chain(id);
}

void Emitter::emit_chain(const ir::Op& loop) {
  const Chain chain = plan_chain(loop);
  note_bulk();
  if (!is_group_fragment(*chain.second)) {
    refusal_.emplace("what the second contraction multiplies does not lie as the first leaves it");
    return;
  }
  chain_ = &chain;
  const bool exchanged_before = std::exchange(exchanged_, false);
  const std::vector<ir::ValueId>& arguments = kernel_[loop.regions[0]].arguments;
  const std::vector<ir::ValueId> carried_in = chain.others(arguments, 1), carried_out = chain.others(chain.yield->operands, 0);
  const ir::ValueId sums_in = arguments[chain.at + 1], sums = chain.second->operands[2];
  const std::int64_t groups = kernel_.threads / roles::group;
  V begin = scalar(loop.operands[0]), step = scalar(loop.operands[2]), count = turns(loop);
  const auto stand_in_turn = [&](V turn) { values_[arguments[0]] = Parts{b_.CreateAdd(begin, b_.CreateMul(turn, step))}; };
  const auto carried = [&] {
    Parts all = parts(sums);
    all.append(weight_words(chain));
    all.append(flatten(carried_out));
    return all;
  };

  Join out = join("out");
  auto* some = llvm::BasicBlock::Create(context_, "some", function_);
  out.incoming.emplace_back(b_.GetInsertBlock(), flatten(loop.operands, 3));
  b_.CreateCondBr(b_.CreateICmpNE(count, i64(0)), some, out.block);
  b_.SetInsertPoint(some);
  unflatten(arguments, flatten(loop.operands, 3), 1);
  for (const Partial& partial : chain.partial) values_[arguments[partial.at + 1]] = spread(partial, parts(arguments[partial.at + 1]));
  stand_in_turn(i64(0));
  wait_for_stage(ring_of_q, false);
  wait_for_stage(ring_of_k, false);
  define(*chain.first, multiply_scores(chain));
  target_.wait_for_groups(0);
  define(*chain.first, target_.held(parts(chain.first->results[0])));
  give_back(ring_of_k);
  emit_between(chain);
  emit_behind(chain);

  const std::size_t width = part_count(sums), word_count = static_cast<std::size_t>(chain.sums.how.k / chain.sums.step * 4);
  const auto split = [&](const Parts& all, Parts& tile, Parts& words) {
    tile = Parts(all.begin(), all.begin() + width);
    words = Parts(all.begin() + width, all.begin() + width + word_count);
    unflatten(carried_in, Parts(all.begin() + width + word_count, all.end()));
  };
  Parts tile, words;
  const Parts last = repeat(i64(1), count, i64(1), carried(), [&](V turn, const Parts& now) -> Parts {
    split(now, tile, words);
    stand_in_turn(turn);
    wait_for_stage(ring_of_k, false);
    if (groups > 1) target_.group_barrier(b_.CreateAdd(group_, i32(roles::first_turn_barrier)), 2 * roles::group);
    define(*chain.first, multiply_scores(chain));
    wait_for_stage(ring_of_v, false);
    tile = multiply_weights(chain, words, tile);
    if (groups > 1) {
      V next = b_.CreateURem(b_.CreateAdd(group_, i32(1)), i32(groups));
      target_.arrive_at_group_barrier(b_.CreateAdd(next, i32(roles::first_turn_barrier)), 2 * roles::group);
    }
    target_.wait_for_groups(1);
    define(*chain.first, target_.held(parts(chain.first->results[0])));
    give_back(ring_of_k);
    emit_between(chain);
    target_.wait_for_groups(0);
    hold_behind(chain, tile);
    values_[sums_in] = tile;
    give_back(ring_of_v);
    emit_behind(chain);
    return carried();
  });
  split(last, tile, words);
  give_back(ring_of_q);
  wait_for_stage(ring_of_v, false);
  tile = multiply_weights(chain, words, tile);
  target_.wait_for_groups(0);
  tile = target_.held(tile);
  give_back(ring_of_v);
  for (const Partial& partial : chain.partial) values_[arguments[partial.at + 1]] = gathered(partial, parts(arguments[partial.at + 1]));
  Parts results;
  std::size_t other = 0;
  for (std::size_t i = 0; i < arguments.size() - 1; ++i) {
    if (i == chain.at) results.append(tile);
    else results.append(parts(carried_in[other++]));
  }
  jump(out, results);
  unflatten(loop.results, arrive(out, loop.results));
  chain_ = nullptr;
  if (exchanged_) refusal_.emplace("between its contractions the loop moves tiles from thread to thread");
  exchanged_ |= exchanged_before;
}

// Neither the sums nor what the weights are made of may be touched before this point.
void Emitter::hold_behind(const Chain& chain, Parts& tile) {
  const bool together = chain.rounded.valid() && type(chain.rounded).element == ScalarType::F32 && type(chain.rounded).is_tile();
  Parts all = tile;
  if (together) all.append(parts(chain.rounded));
  all = target_.held(all);
  tile = Parts(all.begin(), all.begin() + tile.size());
  if (together) values_[chain.rounded] = Parts(all.begin() + tile.size(), all.end());
}

// Whether the first operand lies in registers as a product of groups wants it: rows as those of the sums, in one block of 64 to a group.
bool Emitter::is_group_fragment(const ir::Op& dot) const {
  const std::vector<Digit> quad{{1, 4, 2}};
  const std::vector<Step> steps{{2, 1}, {type(dot.operands[0]).shape[1] / 8, 8}};
  const Layout& has = layout(dot.operands[0]);
  return has.rows == layout(dot.results[0]).rows && has.rows.slot_count() == 2 && has.columns.threads == quad && has.columns.slots == steps;
}

}  // namespace phobos::nvptx
