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
//     a part of f(S), while O is under way
//   wait until O is over, give the stage of V back
//     the rest of f(S), O = g(O), P = rounded
//
// The scores lie in registers as the second contraction takes its first operand, but for being rounded. `P` is written when nothing is
// under way: else the assembler would wait for each multiplication. Q stays in registers where there are enough.
// After J. Shah et al., "FlashAttention-3" (2024), section 3.
#include <algorithm>
#include <numbers>
#include <set>

#include <llvm/IR/Intrinsics.h>

#include "chain.h"
#include "roles.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

namespace {

// The rings, in the order of the plan.
constexpr std::size_t ring_of_q = 0, ring_of_k = 1, ring_of_v = 2;

bool reads(const ir::Op& op, ir::ValueId value) { return std::find(op.operands.begin(), op.operands.end(), value) != op.operands.end(); }

}  // namespace

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
  for (const ir::OpId id : chain.between)
    if (is_fast_exp(kernel_[id]) && type(kernel_[id].results[0]).shape == type(chain.first->results[0]).shape) chain.powers = &kernel_[id];
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

// Whether registers are left for Q beside scores, weights and sums.
bool Emitter::keeps_queries(const Chain& chain) const {
  constexpr std::int64_t others = 24;
  const auto& [scores, sums] = std::tie(chain.scores.how, chain.sums.how);
  const int most = bulk_->registers_of_consumer(kernel_);
  return most != 0 && scores.n / 2 + scores.n / 4 + sums.n / 2 + scores.k / 4 + others <= most;
}

// The first group's turn comes first: it has arrived at its own barrier.
void Emitter::begin_group_turns() {
  guarded(b_.CreateICmpEQ(group_, i32(0)), [&] { target_.arrive_at_group_barrier(i32(roles::first_turn_barrier), 2 * roles::group); });
}

// This lane's words of Q for each step along k, from where the copies put it: what stays in registers is not read again in each turn.
Parts Emitter::query_words(const Chain& chain) {
  const passes::BulkPlan::Operand& q = bulk_->rings[ring_of_q].operands[0];
  const std::int64_t steps_across = q.swizzle.row / 32;  // of k, in a row of a block
  V lane = b_.CreateAnd(thread_, i32(31)), warp = b_.CreateUDiv(b_.CreateURem(thread_, i32(roles::group)), i32(32));
  V row = b_.CreateAdd(b_.CreateMul(warp, i32(16)), b_.CreateAnd(lane, i32(15))), piece = b_.CreateLShr(lane, i32(4));
  V turned = b_.CreateAnd(b_.CreateUDiv(row, i32(q.swizzle.period())), i32(q.swizzle.mask()));
  V base = element(group_rows(chain.scores, q, operand_at(ring_of_q, 0, stage_of(ring_of_q))), ScalarType::U8, b_.CreateMul(row, i32(q.swizzle.row)));
  Parts words;
  for (std::int64_t step = 0; step < chain.scores.how.k / chain.scores.step; ++step) {
    V within = b_.CreateXor(b_.CreateAdd(piece, i32(step % steps_across * 2)), turned);
    V place = b_.CreateAdd(b_.CreateMul(within, i32(16)), i32(step / steps_across * chain.scores.how.m * q.swizzle.row));
    words.append(target_.load_matrices(element(base, ScalarType::U8, place), 4, false));
  }
  return words;
}

Parts Emitter::multiply_scores(const Chain& chain) {
  if (!chain.queries.empty()) return multiply_by_groups(chain.scores, chain.queries, operand_at(ring_of_k, 0, stage_of(ring_of_k)), {}, bulk_->rings[ring_of_k].operands[0].swizzle, {});
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

// exp(x - y) = 2^((x - y) log2 e) by the machine's 2^x: what is rounded to 16 bits, and summed, needs no more. In a whole turn by one
// multiply-add: 2^(score c log2 e - y log2 e), whose bounds are noted.
bool Emitter::is_fast_exp(const ir::Op& op) const { return op.code == Opcode::Exp && type(op.results[0]).element == ScalarType::F32 && type(op.results[0]).is_tile() && !kernel_.precise; }

// Of exp(x - y) x and the difference; of another exp its operand and none.
std::pair<ir::ValueId, const ir::Op*> Emitter::power_of(const ir::Op& exp) const {
  const ir::OpId made = kernel_[exp.operands[0]].op;
  if (!made.valid() || kernel_[made].code != Opcode::Sub || !made_inside(kernel_, *chain_->loop, exp.operands[0])) return {exp.operands[0], nullptr};
  return {kernel_[made].operands[0], &kernel_[made]};
}

// Those of slots from one on and below another. Of a second half the assembler makes none before what stands between: they hang on a column
// that each lane fetches anew, from itself.
Parts Emitter::fast_exp(const ir::Op& op, std::size_t from, std::size_t to) {
  auto [power, difference] = power_of(op);
  V log2e = llvm::ConstantFP::get(b_.getFloatTy(), std::numbers::log2e);
  const std::optional<Scaled> score = whole_turn_ && bulk_->may_repeat ? scaled(power) : std::nullopt;
  V scale = score && score->factor ? b_.CreateFMul(score->factor, log2e) : log2e;
  if (score) power = score->tile;
  Parts powers;
  std::map<V, V> fetched;
  for (std::size_t i = from; i < to; ++i) {
    V less = nullptr;
    if (difference) {
      V subtrahend = parts(difference->operands[1])[i];
      V& once = fetched[subtrahend];
      if (!once) {
        if (score) note_bound(subtrahend);
        once = score ? b_.CreateFMul(subtrahend, b_.CreateFNeg(log2e)) : subtrahend;
        if (from > 0) once = target_.shuffle(ir::ShuffleMode::From, once, b_.CreateAnd(thread_, i32(31)));
      }
      less = once;
    }
    V x = parts(power)[i], exponent = nullptr;
    if (score && less) exponent = b_.CreateIntrinsic(llvm::Intrinsic::fma, {b_.getFloatTy()}, {x, scale, less});
    else exponent = b_.CreateFMul(less ? b_.CreateFSub(x, less) : x, scale);
    powers.push_back(target_.exp2_f32(exponent));
  }
  return powers;
}

void Emitter::emit_in_chain(ir::OpId id) {
  const ir::Op& op = kernel_[id];
  if (whole_turn_ && whole_selections_.contains(&op)) return define(op, parts(op.operands[1]));
  locate(op);
  current_ = &op;
  current_id_ = id;
  if (std::any_of(chain_->partial.begin(), chain_->partial.end(), [&](const Partial& one) { return one.fold == &op; }))
    return define(op, fold_slots(ir::FoldOp::Sum, ScalarType::F32, parts(op.operands[0]), layout(op.operands[0])));
  if (is_fast_exp(op)) return define(op, fast_exp(op, 0, part_count(op.results[0])));
  if (!emit_scaled_maximum(op)) emit(id, op);
}

// What is between the contractions, and `rest` of the turn. `middle`: what ends the wait for the sums. In a whole turn it stands between two
// parts of the powers, so that the machine has powers to make on both sides of it: before, while the sums are under way, and behind, while
// they are scaled and weights are rounded. It is given the powers that are made by then.
Parts Emitter::emit_between(const Chain& chain, Way way, const std::function<void(Parts*)>& middle, const std::function<Parts()>& rest) {
  const auto emit_all = [&](bool whole) {
    whole_turn_ = whole;
    const ir::Op* parted = middle && whole ? chain.powers : nullptr;
    for (const ir::OpId id : chain.between) {
      if (&kernel_[id] != parted) {
        emit_in_chain(id);
        continue;
      }
      const std::size_t all = part_count(parted->results[0]), first = covers_waits() ? all / 4 : all / 2;
      locate(*parted);
      Parts powers = fast_exp(*parted, 0, first);
      middle(&powers);
      powers.append(fast_exp(*parted, first, all));
      define(*parted, powers);
    }
    if (middle && !parted) middle(nullptr);
    whole_turn_ = false;
    return rest();
  };
  if (way != Way::Either) return emit_all(way == Way::Whole);
  V whole = whole_turn(chain);
  if (!whole) return emit_all(false);
  auto* plain = llvm::BasicBlock::Create(context_, "whole", function_);
  auto* selected = llvm::BasicBlock::Create(context_, "selected", function_);
  auto* met = llvm::BasicBlock::Create(context_, "turned", function_);
  b_.CreateCondBr(whole, plain, selected);
  Parts phis;
  const Parts scores = parts(chain.first->results[0]);
  for (auto* block : {plain, selected}) {
    b_.SetInsertPoint(block);
    values_[chain.first->results[0]] = scores;
    const Parts all = emit_all(block == plain);
    auto* last = b_.GetInsertBlock();
    b_.CreateBr(met);
    b_.SetInsertPoint(met);
    if (block == plain) phis = open_phis(all);
    close_phis(phis, all, last);
  }
  return phis;
}

Parts Emitter::weight_words(const Chain& chain) {
  Parts words;
  for (std::int64_t step = 0; step < chain.sums.how.k / chain.sums.step; ++step) words.append(fragment_from_slots(chain.sums, 0, step));
  return words;
}

void Emitter::emit_behind(const Chain& chain) {
  for (const ir::OpId id : chain.behind) emit_in_chain(id);
}

// What goes on to the next turn: the sums as they are added to, the weights' words, and the rest of what the loop carries.
Parts Emitter::carried(const Chain& chain) {
  Parts all = parts(chain.second->operands[2]);
  all.append(weight_words(chain));
  all.append(flatten(chain.others(chain.yield->operands, 0)));
  return all;
}

Emitter::Carried Emitter::taken(const Chain& chain, const Parts& all) {
  const auto sums = all.begin() + static_cast<std::ptrdiff_t>(part_count(chain.second->operands[2])), words = sums + static_cast<std::ptrdiff_t>(chain.sums.how.k / chain.sums.step * 4);
  unflatten(chain.others(arguments_of(chain), 1), Parts(words, all.end()));
  return {Parts(all.begin(), sums), Parts(sums, words)};
}

const std::vector<ir::ValueId>& Emitter::arguments_of(const Chain& chain) const { return kernel_[chain.loop->regions[0]].arguments; }

void Emitter::stand_in_turn(const Chain& chain, V turn) {
  values_[arguments_of(chain)[0]] = Parts{b_.CreateAdd(scalar(chain.loop->operands[0]), b_.CreateMul(turn, scalar(chain.loop->operands[2])))};
}

// The first turn, which has no other to go with.
Parts Emitter::emit_first_turn(Chain& chain) {
  const std::vector<ir::ValueId>& arguments = arguments_of(chain);
  unflatten(arguments, flatten(chain.loop->operands, 3), 1);
  for (const Partial& partial : chain.partial) values_[arguments[partial.at + 1]] = spread(partial, parts(arguments[partial.at + 1]));
  stand_in_turn(chain, i64(0));
  wait_for_stage(ring_of_q, false);
  if (keeps_queries(chain)) {
    chain.queries = query_words(chain);
    target_.group_barrier(b_.CreateAdd(group_, i32(roles::first_group_barrier)), roles::group);
    give_back(ring_of_q);
  }
  wait_for_stage(ring_of_k, false);
  define(*chain.first, multiply_scores(chain));
  target_.wait_for_groups(0);
  define(*chain.first, target_.held(parts(chain.first->results[0])));
  give_back(ring_of_k);
  return emit_between(chain, Way::Either, nullptr, [&] {
    emit_behind(chain);
    return carried(chain);
  });
}

// Whether there are groups enough that two have work while one waits.
bool Emitter::covers_waits() const { return kernel_.threads / roles::group > 2; }

// A later turn, together with the second contraction of the one before, of whose results it is given `now`.
Parts Emitter::emit_next_turn(const Chain& chain, Way way, V turn, V count, const Parts& now) {
  const std::int64_t groups = kernel_.threads / roles::group;
  auto [sums, words] = taken(chain, now);
  stand_in_turn(chain, turn);
  wait_for_stage(ring_of_k, false);
  if (groups > 1) target_.group_barrier(b_.CreateAdd(group_, i32(roles::first_turn_barrier)), 2 * roles::group);
  define(*chain.first, multiply_scores(chain));
  wait_for_stage(ring_of_v, false);
  sums = multiply_weights(chain, words, sums);
  if (groups > 1) {
    V next = b_.CreateURem(b_.CreateAdd(group_, i32(1)), i32(groups));
    target_.arrive_at_group_barrier(b_.CreateAdd(next, i32(roles::first_turn_barrier)), 2 * roles::group);
  }
  target_.wait_for_groups(1);
  define(*chain.first, target_.held(parts(chain.first->results[0])));
  give_back(ring_of_k);
  const auto wait = [&](Parts* powers) {
    // Where a block of instructions does not end here the assembler moves the wait for the sums up. The next K is mostly there by now.
    if (!covers_waits()) guarded(b_.CreateICmpSLT(b_.CreateAdd(turn, i64(1)), count), [&] { wait_for_stage(ring_of_k, false); });
    target_.wait_for_groups(0);
    Parts own = sums;
    hold_behind(chain, own, powers);
    give_back(ring_of_v);
    values_[arguments_of(chain)[chain.at + 1]] = own;
  };
  return emit_between(chain, way, wait, [&] {
    emit_behind(chain);
    return carried(chain);
  });
}

// Turns from the second on. Those that are whole are a loop of their own, without a way out to selections in its midst: the assembler orders
// instructions within a block.
Parts Emitter::emit_turns(const Chain& chain, V count, const Parts& first) {
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, function_); };
  auto *before = b_.GetInsertBlock(), *header = block("turn"), *inside = block("inside"), *after = block("after");
  const auto open_turn = [&](V turn, const Parts& now, llvm::BasicBlock* from) {
    auto* phi = b_.CreatePHI(b_.getInt64Ty(), 3);
    phi->addIncoming(turn, from);
    const Parts carried = open_phis(now);
    close_phis(carried, now, from);
    return std::pair(phi, carried);
  };
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  const auto [turn, now] = open_turn(i64(1), first, before);
  b_.CreateCondBr(b_.CreateICmpSLT(turn, count), inside, after);
  b_.SetInsertPoint(inside);
  if (V whole = whole_turn_at(chain, turn, now)) {
    auto *plain = block("whole"), *selected = block("selected");
    auto* from = b_.GetInsertBlock();
    b_.CreateCondBr(whole, plain, selected);
    b_.SetInsertPoint(plain);
    const auto [turn_here, now_here] = open_turn(turn, now, from);
    const Parts next = emit_next_turn(chain, Way::Whole, turn_here, count, now_here);
    V following = b_.CreateAdd(turn_here, i64(1), "", true, true);
    V on = b_.CreateAnd(b_.CreateICmpSLT(following, count), whole_turn_at(chain, following, next));
    auto* latch = b_.GetInsertBlock();
    unroll(b_.CreateCondBr(on, plain, header), "llvm.loop.unroll.disable");
    for (const auto& [phi, parts] : {std::pair(turn, now), std::pair(turn_here, now_here)}) {
      phi->addIncoming(following, latch);
      close_phis(parts, next, latch);
    }
    b_.SetInsertPoint(selected);
  }
  const Parts next = emit_next_turn(chain, Way::Selected, turn, count, now);
  turn->addIncoming(b_.CreateAdd(turn, i64(1), "", true, true), b_.GetInsertBlock());
  close_phis(now, next, b_.GetInsertBlock());
  unroll(b_.CreateBr(header), "llvm.loop.unroll.disable");
  b_.SetInsertPoint(after);
  return now;
}

// The second contraction of the last turn; what the loop gives.
Parts Emitter::emit_last_sums(const Chain& chain, const Parts& last) {
  const std::vector<ir::ValueId>& arguments = arguments_of(chain);
  auto [sums, words] = taken(chain, last);
  if (chain.queries.empty()) give_back(ring_of_q);
  wait_for_stage(ring_of_v, false);
  sums = multiply_weights(chain, words, sums);
  target_.wait_for_groups(0);
  values_[arguments[chain.at + 1]] = target_.held(sums);
  give_back(ring_of_v);
  for (const Partial& partial : chain.partial) values_[arguments[partial.at + 1]] = gathered(partial, parts(arguments[partial.at + 1]));
  return flatten(arguments, 1);
}

void Emitter::emit_chain(const ir::Op& loop) {
  Chain chain = plan_chain(loop);
  note_bulk();
  if (!is_group_fragment(*chain.second)) {
    refusal_.emplace("what the second contraction multiplies does not lie as the first leaves it");
    for (const ir::ValueId result : loop.results) values_[result] = Parts(part_count(result), llvm::PoisonValue::get(part_type(type(result))));
    return;
  }
  chain_ = &chain;
  may_be_whole_ = nullptr;
  const bool exchanged_before = std::exchange(exchanged_, false);
  V count = turns(loop);
  Join out = join("out");
  auto* some = llvm::BasicBlock::Create(context_, "some", function_);
  out.incoming.emplace_back(b_.GetInsertBlock(), flatten(loop.operands, 3));
  b_.CreateCondBr(b_.CreateICmpNE(count, i64(0)), some, out.block);
  b_.SetInsertPoint(some);
  const Parts first = emit_first_turn(chain);
  const Parts last = emit_turns(chain, count, first);
  jump(out, emit_last_sums(chain, last));
  unflatten(loop.results, arrive(out, loop.results));
  chain_ = nullptr;
  if (exchanged_) refusal_.emplace("between its contractions the loop moves tiles from thread to thread");
  exchanged_ |= exchanged_before;
}

// Neither the sums nor what the weights are made of may be touched before this point. `powers`: those that are made so far.
void Emitter::hold_behind(const Chain& chain, Parts& tile, Parts* powers) {
  Parts all = tile, rest;
  const ir::ValueId weights = powers ? chain.first->results[0] : chain.rounded;
  const bool together = weights.valid() && type(weights).element == ScalarType::F32 && type(weights).is_tile();
  if (powers) all.append(*powers);
  if (together) all.append(parts(weights).begin() + static_cast<std::ptrdiff_t>(powers ? powers->size() : 0), parts(weights).end());
  all = target_.held(all);
  auto at = all.begin();
  const auto take = [&](Parts& into, std::size_t from) {
    for (std::size_t i = from; i < into.size(); ++i) into[i] = *at++;
  };
  take(tile, 0);
  if (powers) take(*powers, 0);
  if (together) {
    Parts held = parts(weights);
    take(held, powers ? powers->size() : 0);
    values_[weights] = held;
  }
}

// Whether the first operand lies in registers as a product of groups wants it: rows as those of the sums, in one block of 64 to a group.
bool Emitter::is_group_fragment(const ir::Op& dot) const {
  const std::vector<Digit> quad{{1, 4, 2}};
  const std::vector<Step> steps{{2, 1}, {type(dot.operands[0]).shape[1] / 8, 8}};
  const Layout& has = layout(dot.operands[0]);
  return has.rows == layout(dot.results[0]).rows && has.rows.slot_count() == 2 && has.columns.threads == quad && has.columns.slots == steps;
}

}  // namespace phobos::nvptx
