// Contractions whose operands come by bulk tensor copies, with roles. Beside the threads of the program a CTA has a group of four warps,
// of which one thread asks for copies:
//
//   for each block of the grid that is this CTA's        for each block of the grid that is this CTA's
//     for each turn                                        what stands before the loop
//       wait until `empty` of the stage                    for each turn
//       expect its bytes at `full`, ask for the boxes        wait for `full` of the stage
//                                                            multiply
//                                                            wait until the multiplications of the turn before are over,
//                                                            and say so at `empty` of its stage
//                                                          what stands behind the loop
//
// The ring goes on from block to block, so the first operands of the next block are there when this one's results have left. Two rounds
// after each other walk their turns in opposite directions: what the first has read last is in the L2 cache still. Results of 16 bits
// leave through boxes in shared memory.
// PTX ISA, "Asynchronous Data Movement and Conversion", "mbarrier" and "setmaxnreg".
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "dot.h"
#include "roles.h"

namespace phobos::nvptx {

using ir::Opcode;
using llvm::Value;

namespace {

using roles::group, roles::first_group_barrier, roles::first_team_barrier, roles::first_turn_barrier;
constexpr std::int64_t box_columns = 64, box_row = 128;  // bytes
// What is left of a start that lies far outside: no box from there on touches a tensor.
constexpr std::int64_t least_start = -(std::int64_t{1} << 20), most_start = Compiled::Bulk::largest_extent;

}  // namespace

// Parameters behind those of the plain entry, in the order of maps_: the operands of each ring, then what is stored to.
void Emitter::declare_maps() {
  const auto parameter_of = [&](ir::ValueId buffer) { return static_cast<std::size_t>(kernel_[buffer].index); };
  for (const passes::BulkPlan::Ring& ring : bulk_->rings)
    for (const passes::BulkPlan::Operand& operand : ring.operands) {
      const passes::Contraction how = passes::choose_contraction(kernel_, kernel_[operand.dot], chip_);
      const ir::ValueId buffer = kernel_[operand.load].operands[0];
      const std::int64_t rows = operand.which == 0 ? how.m : how.transposed ? how.n : how.k, row = operand.swizzle.row;
      maps_.push_back({parameter_of(buffer), rows, row / size_of(type(buffer).element), row, how.multiplied == ScalarType::F32 && how.products == 1});
    }
  for (const ir::OpId store : bulk_->stores) maps_.push_back({parameter_of(kernel_[store].operands[0]), 64, box_columns, box_row});
}

Value* Emitter::shared_byte(std::int64_t at) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), shared_, static_cast<std::uint64_t>(at)); }

Value* Emitter::ring_barrier(std::size_t ring, bool empty, V stage) {
  const std::int64_t first = bulk_->ring_bytes() + bulk_->box_area(kernel_) + bulk_->barrier_at(ring);
  return element(shared_byte(first + (empty ? 8 * bulk_->rings[ring].stages : 0)), ScalarType::I64, stage);
}

Value* Emitter::stage_of(std::size_t ring) { return b_.CreateLoad(b_.getInt32Ty(), positions_[ring].stage); }

// Where an operand of a ring begins, in a stage.
Value* Emitter::operand_at(std::size_t ring, std::size_t which, V stage) {
  std::int64_t at = bulk_->ring_at(ring);
  for (std::size_t i = 0; i < which; ++i) at += bulk_->rings[ring].operands[i].bytes;
  return element(shared_byte(at), ScalarType::U8, b_.CreateMul(stage, i32(bulk_->rings[ring].stage_bytes())));
}

void Emitter::wait_for_stage(std::size_t ring, bool empty) {
  target_.wait_for_phase(ring_barrier(ring, empty, stage_of(ring)), b_.CreateLoad(b_.getInt32Ty(), positions_[ring].phase));
}

void Emitter::emit_roles() {
  const std::int64_t groups = bulk_->groups(kernel_);
  group_ = target_.shuffle(ir::ShuffleMode::From, b_.CreateUDiv(all_threads_, i32(group)), i32(0));
  team_ = bulk_->teams > 1 ? b_.CreateUDiv(group_, i32(groups / bulk_->teams)) : i32(0);
  leads_group_ = b_.CreateICmpEQ(b_.CreateURem(all_threads_, i32(group)), i32(0));
  for (llvm::AllocaInst** one : {&round_, &box_}) *one = variable(b_.getInt32Ty());
  for (std::size_t ring = 0; ring < bulk_->rings.size(); ++ring) positions_.push_back({variable(b_.getInt32Ty()), variable(b_.getInt32Ty())});
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, function_); };
  auto *first = block("first"), *all = block("all"), *producer = block("producer"), *consumer = block("consumer");
  b_.CreateCondBr(b_.CreateICmpEQ(all_threads_, i32(0)), first, all);
  b_.SetInsertPoint(all);
  target_.barrier();
  b_.CreateCondBr(b_.CreateICmpEQ(group_, i32(groups)), producer, consumer);
  b_.SetInsertPoint(consumer);
  consume();
  b_.CreateRetVoid();
  b_.SetInsertPoint(producer);
  thread_ = all_threads_;
  places_.clear();
  produce();
  b_.CreateRetVoid();
  b_.SetInsertPoint(first);
  make_barriers();
  b_.CreateBr(all);
}

// What the consumers turn out to need as well.
void Emitter::make_barriers() {
  const std::int64_t groups = bulk_->groups(kernel_);
  for (std::size_t ring = 0; ring < bulk_->rings.size(); ++ring)
    for (const bool empty : {false, true})
      for (std::int64_t i = 0; i < bulk_->rings[ring].stages; ++i) target_.make_phases(ring_barrier(ring, empty, i32(i)), empty ? groups / bulk_->teams : 1);
  for (std::int64_t i = 0; i < bulk_->rings[0].stages && bulk_->rings[0].low_bytes > 0; ++i) target_.make_phases(ready_barrier(i32(i)), passes::BulkPlan::low_threads);
  if (notes_bounds_) {
    target_.make_phases(verdict(), groups);
    b_.CreateStore(i32(0), passed_word());
  }
  target_.publish_phases();
}

// Blocks of the grid, from one on and so many apart. They are numbered down the columns of bands of rows. `again`: at the end, whether all of
// them are to be done once more, exactly; null: they are not.
void Emitter::walk_blocks(V first, V step, const std::function<void()>& body, const std::function<V()>& again) {
  V grid[3];
  for (unsigned axis = 0; axis < 3; ++axis) grid[axis] = function_->getArg(static_cast<unsigned>(function_->arg_size()) - 3 + axis);
  V plane = b_.CreateMul(grid[0], grid[1]), all = b_.CreateMul(plane, grid[2]);
  b_.CreateStore(i32(0), round_);
  auto* before = b_.GetInsertBlock();
  auto* header = llvm::BasicBlock::Create(context_, "block", function_);
  auto* inside = llvm::BasicBlock::Create(context_, "inside", function_);
  auto* after = llvm::BasicBlock::Create(context_, "after", function_);
  b_.CreateBr(header);
  b_.SetInsertPoint(header);
  auto* number = b_.CreatePHI(b_.getInt32Ty(), 2);
  number->addIncoming(first, before);
  auto* exact = b_.CreatePHI(b_.getInt1Ty(), 2);
  exact->addIncoming(b_.getFalse(), before);
  exact_ = exact;
  auto* ended = llvm::BasicBlock::Create(context_, "ended", function_);
  b_.CreateCondBr(b_.CreateICmpULT(number, all), inside, ended);
  b_.SetInsertPoint(inside);
  V z = b_.CreateUDiv(number, plane), at = b_.CreateURem(number, plane);
  V x = nullptr, y = nullptr;
  if (const std::int64_t band = bulk_->is_chain() && kernel_.band == 0 ? 0 : band_of(kernel_); band > 1) {
    V area = b_.CreateMul(grid[0], i32(band));  // a band whose area does not fit in 32 bits is the whole grid
    V small = b_.CreateICmpULT(grid[0], i32(INT32_MAX / band));
    V top = b_.CreateSelect(small, b_.CreateMul(b_.CreateUDiv(at, b_.CreateSelect(small, area, i32(1))), i32(band)), i32(0));
    V left = b_.CreateSub(grid[1], top);
    V height = b_.CreateSelect(b_.CreateAnd(small, b_.CreateICmpULT(i32(band), left)), i32(band), left);
    V within = b_.CreateSub(at, b_.CreateMul(top, grid[0]));
    x = b_.CreateUDiv(within, height);
    y = b_.CreateAdd(top, b_.CreateURem(within, height));
  } else {
    x = b_.CreateURem(at, grid[0]);
    y = b_.CreateUDiv(at, grid[0]);
  }
  target_.stand_at({{x, y, z}, {grid[0], grid[1], grid[2]}});
  body();
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt32Ty(), round_), i32(1)), round_);
  number->addIncoming(b_.CreateAdd(number, step), b_.GetInsertBlock());
  exact->addIncoming(exact, b_.GetInsertBlock());
  unroll(b_.CreateBr(header), "llvm.loop.unroll.disable");
  auto* once = llvm::BasicBlock::Create(context_, "once", function_);
  b_.SetInsertPoint(ended);
  b_.CreateCondBr(exact, after, once);
  b_.SetInsertPoint(once);
  if (V more = again()) {
    number->addIncoming(first, b_.GetInsertBlock());
    exact->addIncoming(b_.getTrue(), b_.GetInsertBlock());
    b_.CreateCondBr(more, header, after);
  } else {
    b_.CreateBr(after);
  }
  b_.SetInsertPoint(after);
}

void Emitter::next_stage(std::size_t ring) {
  const auto& [stage, phase] = positions_[ring];
  V next = b_.CreateAdd(stage_of(ring), i32(1));
  V around = b_.CreateICmpEQ(next, i32(bulk_->rings[ring].stages));
  b_.CreateStore(b_.CreateSelect(around, i32(0), next), stage);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt32Ty(), phase), b_.CreateZExt(around, b_.getInt32Ty())), phase);
}

void Emitter::skip_stages(V count) {
  const auto& [stage, phase] = positions_[0];
  V stages = i64(bulk_->rings[0].stages), at = b_.CreateAdd(b_.CreateZExt(stage_of(0), b_.getInt64Ty()), count);
  b_.CreateStore(b_.CreateTrunc(b_.CreateURem(at, stages), b_.getInt32Ty()), stage);
  V around = b_.CreateTrunc(b_.CreateUDiv(at, stages), b_.getInt32Ty());
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt32Ty(), phase), around), phase);
}

// A scalar of the program, computed here with all that it follows from, where it is not in `known`.
void Emitter::emit_scalar(ir::ValueId value, std::map<std::uint32_t, bool>& known) {
  const ir::OpId made = kernel_[value].op;
  if (!made.valid() || !known.emplace(value.value, true).second) return;
  const ir::Op& op = kernel_[made];
  for (const ir::ValueId operand : op.operands) emit_scalar(operand, known);
  emit(made, op);
}

// How many turns a loop has, whose step is positive.
Value* Emitter::turns(const ir::Op& loop) {
  V begin = scalar(loop.operands[0]), end = scalar(loop.operands[1]), step = scalar(loop.operands[2]);
  V count = b_.CreateAdd(b_.CreateUDiv(b_.CreateSub(b_.CreateSub(end, begin), i64(1)), step), i64(1));
  return b_.CreateSelect(b_.CreateICmpSLT(begin, end), count, i64(0));
}

// One for none, in which the operands are 0.
Value* Emitter::turns_at_least_one(const ir::Op& loop) {
  V count = turns(loop);
  return b_.CreateSelect(b_.CreateICmpEQ(count, i64(0)), i64(1), count);
}

void Emitter::produce() {
  if (const int registers = bulk_->registers_of_producer(kernel_)) target_.set_registers(registers, false);
  V first_warp = b_.CreateICmpULT(b_.CreateSub(all_threads_, i32(bulk_->consumers(kernel_))), i32(32));
  guarded(first_warp, [&] {
    guarded(target_.elect(), [&] {
      for (const auto& [stage, phase] : positions_) {
        b_.CreateStore(i32(0), stage);
        b_.CreateStore(i32(-1), phase);  // the stages are empty at first
      }
      walk_blocks(target_.machine_block(0), target_.machine_blocks(0), [&] { load_block(); }, [&] { return has_passed([] {}); });
    });
  });
  if (bulk_->rings[0].low_bytes > 0) guarded(b_.CreateNot(first_warp), [&] { make_low_parts(); });
}

void Emitter::load_block() {
  const ir::Op& loop = kernel_[bulk_->loop];
  std::map<std::uint32_t, bool> known;
  for (std::size_t i = 0; i < 3; ++i) emit_scalar(loop.operands[i], known);
  for (const passes::BulkPlan::Ring& ring : bulk_->rings)
    for (const passes::BulkPlan::Operand& operand : ring.operands)
      for (std::size_t i = 1; i < kernel_[operand.load].operands.size(); ++i)
        if (const ir::ValueId start = kernel_[operand.load].operands[i]; !made_inside(kernel_, loop, start)) emit_scalar(start, known);
  if (bulk_->is_chain()) return produce_chain(known);
  V count = turns_at_least_one(loop), backwards = b_.CreateTrunc(b_.CreateLoad(b_.getInt32Ty(), round_), b_.getInt1Ty());
  repeat(i64(0), count, i64(1), {}, [&](V turn, const Parts&) -> Parts {
    load_stage(0, b_.CreateSelect(backwards, b_.CreateSub(b_.CreateSub(count, i64(1)), turn), turn), known);
    return {};
  });
}

// What a ring's operands are in a turn of the loop, into its next stage. `known`: what of the program is computed before the loop.
void Emitter::load_stage(std::size_t ring, V turn, std::map<std::uint32_t, bool> known) {
  const ir::Op& loop = kernel_[bulk_->loop];
  const std::vector<passes::BulkPlan::Operand>& operands = bulk_->rings[ring].operands;
  wait_for_stage(ring, true);
  V stage = stage_of(ring), full = ring_barrier(ring, false, stage);
  target_.expect(full, bulk_->rings[ring].copied_bytes());
  values_[kernel_[loop.regions[0]].arguments[0]] = Parts{b_.CreateAdd(scalar(loop.operands[0]), b_.CreateMul(turn, scalar(loop.operands[2])))};
  for (const passes::BulkPlan::Operand& operand : operands)
    for (std::size_t i = 1; i < kernel_[operand.load].operands.size(); ++i) emit_scalar(kernel_[operand.load].operands[i], known);
  for (std::size_t i = 0; i < operands.size(); ++i) load_operand(ring, i, stage, full);
  next_stage(ring);
}

Value* Emitter::coordinate(ir::ValueId start) {
  V at = as_i64(start);
  at = b_.CreateSelect(b_.CreateICmpSLT(at, i64(least_start)), i64(least_start), at);
  at = b_.CreateSelect(b_.CreateICmpSGT(at, i64(most_start)), i64(most_start), at);
  return b_.CreateTrunc(at, b_.getInt32Ty());
}

// One box for each block of columns.
void Emitter::load_operand(std::size_t ring, std::size_t which, V stage, V barrier) {
  const ir::Op& load = kernel_[bulk_->rings[ring].operands[which].load];
  std::size_t map_number = which;
  for (std::size_t i = 0; i < ring; ++i) map_number += bulk_->rings[i].operands.size();
  const Compiled::Map& map = maps_[map_number];
  V to = operand_at(ring, which, stage);
  const std::vector<ir::ValueId>& bounds = kernel_[bulk_->loop].operands;
  V any = b_.CreateICmpSLT(scalar(bounds[0]), scalar(bounds[1]));
  V x = coordinate(load.operands[2]), y = b_.CreateSelect(any, coordinate(load.operands[1]), i32(most_start));
  const std::int64_t columns = type(load.results[0]).shape[1];
  for (std::int64_t first = 0; first < columns; first += map.columns)
    target_.load_box(element(to, ScalarType::U8, i32(first / map.columns * map.rows * map.swizzle)), map_arguments_[map_number], barrier, b_.CreateAdd(x, i32(first)), y);
}

void Emitter::consume() {
  if (const int registers = bulk_->registers_of_consumer(kernel_)) target_.set_registers(registers, true);
  target_.set_team(b_.CreateAdd(team_, i32(first_team_barrier)), kernel_.threads);
  b_.CreateStore(i32(0), box_);
  for (const auto& [stage, phase] : positions_)
    for (llvm::AllocaInst* one : {stage, phase}) b_.CreateStore(i32(0), one);
  V ctas = target_.machine_blocks(0);
  if (bulk_->teams > 1) {  // the first block is the first team's
    const ir::Op& loop = kernel_[bulk_->loop];
    std::map<std::uint32_t, bool> known;
    for (std::size_t i = 0; i < 3; ++i) emit_scalar(loop.operands[i], known);
    V waits = b_.CreateICmpNE(team_, i32(0));
    skip_stages(b_.CreateSelect(waits, turns_at_least_one(loop), i64(0)));
    guarded(waits, [&] { target_.arrive_at_group_barrier(i32(first_turn_barrier), bulk_->consumers(kernel_)); });
  }
  if (bulk_->is_chain() && bulk_->groups(kernel_) > 1) begin_group_turns();
  if (bulk_->is_chain()) {
    bounded_ = variable(b_.getInt1Ty());
    b_.CreateStore(b_.getTrue(), bounded_);
  }
  walk_blocks(b_.CreateAdd(target_.machine_block(0), b_.CreateMul(team_, ctas)), b_.CreateMul(ctas, i32(bulk_->teams)), [&] { do_block(); },
              [&] { return has_passed([&] { tell_verdict(); }); });
  if (!bulk_->stores.empty()) guarded(leads_group_, [&] { target_.wait_for_boxes(0, false); });
}

void Emitter::do_block() {
  pending_.clear();
  thread_ = target_.held({thread_})[0];
  block_thread_ = llvm::cast<llvm::Instruction>(thread_);
  places_.clear();
  emit_region(kernel_.body);
  // What is left of this block in shared memory the next one may overwrite.
  const bool busy = std::any_of(pending_.begin(), pending_.end(), [&](const auto& earlier) {
    return earlier.second != 0 && (!earlier.first.valid() || type(earlier.first).space == ir::Type::Space::Shared);
  });
  if (busy) barrier();
}

llvm::AllocaInst* Emitter::variable(llvm::Type* type) {
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_, entry_->getFirstInsertionPt());
  return b_.CreateAlloca(type);
}

// A turn of the loop: multiplies what the stage holds, and gives the stage of the turn before back. `last` is that one.
Parts Emitter::multiply_stage(const Dot& dot, V turn, V count, const Parts& sums, llvm::AllocaInst* last) {
  const std::vector<passes::BulkPlan::Operand>& operands = bulk_->rings[0].operands;
  wait_for_stage(0, false);
  V stage = stage_of(0), a = group_rows(dot, operands[0], operand_at(0, 0, stage));
  Parts next = multiply_by_groups(dot, {a}, operand_at(0, 1, stage), operands[0].swizzle, operands[1].swizzle, sums);
  target_.wait_for_groups(1);
  // The other team's turn. Behind the loop, with a product under way, the assembler would wait for each.
  if (bulk_->teams > 1) guarded(b_.CreateICmpEQ(b_.CreateAdd(turn, i64(1)), count), [&] { pass_turn(); });
  guarded(b_.CreateAnd(leads_group_, b_.CreateICmpNE(turn, i64(0))), [&] { target_.arrive(ring_barrier(0, true, b_.CreateLoad(b_.getInt32Ty(), last))); });
  b_.CreateStore(stage, last);
  next_stage(0);
  return next;
}

// Of a first operand that begins at `base`: where this group's rows do.
Value* Emitter::group_rows(const Dot& dot, const passes::BulkPlan::Operand& operand, V base) {
  return element(base, ScalarType::U8, b_.CreateMul(in_team(), i32(dot.how.m / (kernel_.threads / group) * operand.swizzle.row)));
}

// A group's number among those of its team, the same for a warp.
Value* Emitter::in_team() { return bulk_->teams > 1 ? b_.CreateURem(group_, i32(kernel_.threads / group)) : group_; }

// In turn: a team that ran ahead would also take one phase of a stage for another.
void Emitter::take_turn() {
  if (bulk_->teams > 1) target_.group_barrier(b_.CreateAdd(team_, i32(first_turn_barrier)), bulk_->consumers(kernel_));
}

void Emitter::pass_turn() {
  if (bulk_->teams > 1) target_.arrive_at_group_barrier(b_.CreateSub(i32(first_turn_barrier + 1), team_), bulk_->consumers(kernel_));
}

// One turn at least. The test stands at the end: with a product under way on a way out from the head, the assembler would wait for each.
Parts Emitter::turn_after_turn(V count, const Parts& initial, const std::function<Parts(V turn, const Parts& carried)>& body) {
  auto* before = b_.GetInsertBlock();
  auto* again = llvm::BasicBlock::Create(context_, "turn", function_);
  auto* after = llvm::BasicBlock::Create(context_, "after", function_);
  b_.CreateBr(again);
  b_.SetInsertPoint(again);
  auto* turn = b_.CreatePHI(b_.getInt64Ty(), 2);
  const Parts carried = open_phis(initial);
  turn->addIncoming(i64(0), before);
  close_phis(carried, initial, before);
  Parts next = body(turn, carried);
  V following = b_.CreateAdd(turn, i64(1));
  turn->addIncoming(following, b_.GetInsertBlock());
  close_phis(carried, next, b_.GetInsertBlock());
  unroll(b_.CreateCondBr(b_.CreateICmpSLT(following, count), again, after), "llvm.loop.unroll.disable");
  b_.SetInsertPoint(after);
  return next;
}

void Emitter::emit_bulk_loop(const ir::Op& op) {
  if (bulk_->is_chain()) return emit_chain(op);
  current_ = &kernel_[bulk_->dot];
  for (const passes::BulkPlan::Operand& operand : bulk_->rings[0].operands) matrices_[kernel_[operand.load].results[0].value] = {shared_, 0};
  const Dot dot = plan_dot(*current_);
  note_bulk();
  if (dot.element == ScalarType::F32) note_dot(dot);
  if (dot.how.swapped()) return emit_swapped_loop(op, dot);
  V count = turns_at_least_one(op);
  llvm::AllocaInst* last = variable(b_.getInt32Ty());
  b_.CreateStore(i32(0), last);
  take_turn();
  Parts sums = turn_after_turn(count, parts(op.operands[3]), [&](V turn, const Parts& carried) { return multiply_stage(dot, turn, count, carried, last); });
  target_.wait_for_groups(0);
  sums = target_.held(sums);
  guarded(leads_group_, [&] { target_.arrive(ring_barrier(0, true, b_.CreateLoad(b_.getInt32Ty(), last))); });
  if (bulk_->teams > 1) skip_stages(count);
  unflatten(op.results, sums);
}

bool Emitter::stores_boxes(const ir::Op& op) const {
  return bulk_ && std::any_of(bulk_->stores.begin(), bulk_->stores.end(), [&](ir::OpId id) { return &kernel_[id] == &op; });
}

// 64 columns of this warp's 16 rows of a box. `first`: the slot of the first element; `below`: slots from a row to the one 8 further on.
void Emitter::fill_box(V box, const Parts& tile, std::int64_t first, std::int64_t below) {
  V lane = b_.CreateURem(thread_, i32(32)), warp = b_.CreateUDiv(b_.CreateURem(thread_, i32(group)), i32(32));
  V row = b_.CreateAdd(b_.CreateMul(warp, i32(16)), b_.CreateAnd(lane, i32(15)));
  V piece = b_.CreateLShr(lane, i32(4)), turned = b_.CreateAnd(lane, i32(7));
  for (std::int64_t quarter = 0; quarter < 4; ++quarter) {
    Target::Words words;
    for (std::int64_t i = 0; i < 4; ++i) {  // 8 rows below, then the next 8 columns
      const auto slot = static_cast<std::size_t>(first + i % 2 * below + (quarter * 2 + i / 2) * 2);
      V pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(tile[slot]->getType(), 2));
      pair = b_.CreateInsertElement(pair, tile[slot], std::uint64_t{0});
      pair = b_.CreateInsertElement(pair, tile[slot + 1], std::uint64_t{1});
      words.push_back(b_.CreateBitCast(pair, b_.getInt32Ty()));
    }
    V within = b_.CreateXor(b_.CreateAdd(piece, i32(2 * quarter)), turned);
    V place = b_.CreateAdd(b_.CreateMul(row, i32(box_row)), b_.CreateMul(within, i32(16)));
    target_.store_matrices(element(box, ScalarType::U8, place), words);
  }
}

// Of each group 64 rows by 64 columns at a time: into a box, where the last one but one has left, and from there on their way.
void Emitter::emit_box_store(const ir::Op& op) {
  const Layout& from = layout(op.operands[1]);
  const Parts& tile = parts(op.operands[1]);
  const auto which = static_cast<std::size_t>(std::find_if(bulk_->stores.begin(), bulk_->stores.end(), [&](ir::OpId id) { return &kernel_[id] == &op; }) - bulk_->stores.begin());
  const std::int64_t groups = kernel_.threads / group, rows = from.rows.extent / groups, columns = from.columns.extent;
  const std::int64_t slots = from.columns.slot_count(), boxes = passes::BulkPlan::boxes;
  V area = element(shared_byte(bulk_->ring_bytes()), ScalarType::U8, b_.CreateMul(group_, i32(boxes * passes::BulkPlan::box_bytes)));
  V x = coordinate(op.operands[3]), y = b_.CreateAdd(coordinate(op.operands[2]), b_.CreateMul(in_team(), i32(rows)));
  V number = b_.CreateAdd(group_, i32(first_group_barrier));
  for (std::int64_t block = 0; block < rows / 64; ++block)
    for (std::int64_t first = 0; first < columns; first += box_columns) {
      V box = b_.CreateLoad(b_.getInt32Ty(), box_);
      V at = element(area, ScalarType::U8, b_.CreateMul(box, i32(passes::BulkPlan::box_bytes)));
      b_.CreateStore(b_.CreateXor(box, i32(1)), box_);
      guarded(leads_group_, [&] { target_.wait_for_boxes(boxes - 1, true); });
      target_.group_barrier(number, group);
      fill_box(at, tile, block * 2 * slots + first / 4, slots);
      target_.publish_to_groups();
      target_.group_barrier(number, group);
      guarded(leads_group_, [&] {
        target_.store_box(map_arguments_[map_arguments_.size() - bulk_->stores.size() + which], at, b_.CreateAdd(x, i32(first)), b_.CreateAdd(y, i32(block * 64)));
        target_.commit_boxes();
      });
    }
  decide({Decision::Kind::Copy, {}, fmt::format("store to {}", slice_text(op.operands[0], type(op.operands[1]).shape)),
          "bulk copies of 64 rows by 64 columns where tensors have rows of a multiple of 16 bytes", {}, false, true});
}

void Emitter::note_bulk() {
  const ir::Op& loop = kernel_[bulk_->loop];
  std::string path = fmt::format("where tensors have rows of a multiple of 16 bytes: bulk copies, {} stages, by a warp of their own", bulk_->rings.back().stages);
  if (bulk_->is_chain()) path += "; the second contraction of a turn is under way with the first of the next";
  decisions_.push_back({Decision::Kind::Loop, loop.span, bulk_->is_chain() ? "loop over a chain of contractions" : "loop over contractions", std::move(path), {}, false, true});
}

}  // namespace phobos::nvptx
