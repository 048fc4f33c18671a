#include <phobos/passes/bulk.h>

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <phobos/passes/facts.h>

#include "bulk_planner.h"
#include "walk.h"

namespace phobos::passes {

using ir::Opcode;

namespace {

constexpr std::int64_t most_stages = 8;
constexpr std::int64_t largest_box = 256;   // along an axis
constexpr std::int64_t stage_granule = 1024;  // of the swizzle's order
constexpr std::int64_t spare = 1024;          // for what little is exchanged

// Registers that a launch gives to each of so many threads, one CTA on a multiprocessor.
int registers_at_launch(std::int64_t threads) { return static_cast<int>(std::min<std::int64_t>(Chip::registers / threads / 8 * 8, Chip::registers_of_thread)); }

}  // namespace

BulkPlan BulkPlanner::plan() {
  note_uses(kernel_.body);
  plan_.why_not = find();
  return std::move(plan_);
}

void BulkPlanner::note_uses(ir::RegionId region) {
  for (const ir::OpId id : kernel_[region].ops) {
    const ir::Op& op = kernel_[id];
    live_.push_back(id);
    for (std::size_t i = 0; i < op.operands.size(); ++i) uses_[op.operands[i]].push_back({id, i});
    for (const ir::RegionId inner : op.regions) note_uses(inner);
  }
}

std::string BulkPlanner::find() {
  if (!chip_.has_wgmma()) return fmt::format("{} has no bulk copies and no wgmma, which are used together", chip_.name);
  if (kernel_.min_blocks.value_or(1) > 1) return "more than one CTA is to be on a multiprocessor";
  if (kernel_.max_registers) return "the registers of a thread are given";
  for (const ir::OpId id : live_) {
    const Opcode code = kernel_[id].code;
    if (code == Opcode::Atomic || code == Opcode::LoadAcquire || code == Opcode::StoreRelease || code == Opcode::GridBarrier)
      return "CTAs may wait for each other, and a CTA does several blocks of the grid";
    if (code == Opcode::Return && id != kernel_[kernel_.body].ops.back()) return "the kernel may end early";
  }
  if (std::string why = find_dots(); !why.empty()) return why;
  if (std::string why = dots_.size() == 2 ? find_chain() : find_loop(); !why.empty()) return why;
  plan_.may_repeat = std::none_of(kernel_.parameters.begin(), kernel_.parameters.end(), [](const ir::Parameter& each) { return each.read && each.written; });
  find_stores();
  return fit();
}

// The contractions, in a loop that the kernel's body goes through once.
std::string BulkPlanner::find_dots() {
  for (const ir::OpId id : live_)
    if (kernel_[id].code == Opcode::Dot) dots_.push_back(id);
  if (dots_.empty()) return "it has no contraction";
  if (dots_.size() > 2) return "it has more than two contractions";
  for (const ir::OpId id : kernel_[kernel_.body].ops) {
    if (kernel_[id].code != Opcode::For) continue;
    const std::vector<ir::OpId>& ops = kernel_[kernel_[id].regions[0]].ops;
    if (std::all_of(dots_.begin(), dots_.end(), [&](ir::OpId dot) { return std::find(ops.begin(), ops.end(), dot) != ops.end(); })) plan_.loop = id;
  }
  if (!plan_.loop.valid()) return dots_.size() == 1 ? "its contraction is in no loop, or in more than one, or under an `if`" : "its two contractions are not in one loop, or in more than one, or under an `if`";
  return look_at_counter();
}

std::string BulkPlanner::look_at_counter() const {
  const ir::Op& loop = kernel_[plan_.loop];
  const ir::Type& counter = kernel_.type(loop.operands[0]);
  const Facts facts(kernel_);
  if (!is_signed(counter.element) || size_of(counter.element) != 8 || facts.of(loop.operands[2]).least <= 0) return "the turns of the loop cannot be counted before it";
  for (std::size_t i = 0; i < 3; ++i)
    if (!follows(loop.operands[i])) return "the bounds of the loop are not known before the kernel does anything";
  return {};
}

bool BulkPlanner::is_used_once(ir::ValueId value, ir::OpId by, std::size_t operand) const {
  const std::vector<Use>& uses = uses_[value];
  return uses.size() == 1 && uses[0].op == by && uses[0].operand == operand;
}

std::string BulkPlanner::find_loop() {
  plan_.dot = dots_[0];
  const ir::Op& loop = kernel_[plan_.loop];
  const ir::Region& body = kernel_[loop.regions[0]];
  const ir::Op& dot = kernel_[plan_.dot];
  if (dot.operands.size() != 3 || body.arguments.size() != 2 || dot.operands[2] != body.arguments[1]) return "the loop carries more than a sum of products";
  plan_.rings.emplace_back().operands.resize(2);
  std::size_t loads = 0;
  for (const ir::OpId id : body.ops) {
    const ir::Op& op = kernel_[id];
    if (id == plan_.dot) continue;
    if (op.code == Opcode::Yield) {
      if (op.operands.size() != 1 || op.operands[0] != dot.results[0]) return "the loop carries more than a sum of products";
      continue;
    }
    if (op.code == Opcode::TileLoad) {
      const std::vector<Use>& uses = uses_[op.results[0]];
      if (uses.size() != 1 || uses[0].op != plan_.dot || uses[0].operand > 1) return "what the loop loads is not for its contraction alone";
      plan_.rings[0].operands[uses[0].operand] = {id, plan_.dot, uses[0].operand, {}, 0};
      ++loads;
      continue;
    }
    if (!is_pure(op) || !kernel_.type(op.results[0]).is_scalar()) return "the loop does more than to load two operands and add their product";
  }
  if (loads != 2) return "what it multiplies is not loaded in the loop";
  if (uses_[dot.results[0]].size() != 1) return "the sums are looked at in the loop";
  for (const BulkPlan::Operand& operand : plan_.rings[0].operands)
    if (std::string why = look_at_load(operand.load); !why.empty()) return why;
  if (may_take_turns()) plan_.teams = 2;
  return look_at_sum();
}

// What one block's team and another's do at one time must not meet in memory, and each has to know how many turns the other's blocks have.
bool BulkPlanner::may_take_turns() const {
  if (kernel_.threads != 128) return false;
  if (std::any_of(live_.begin(), live_.end(), [&](ir::OpId id) { return kernel_[id].code == Opcode::Alloc; })) return false;
  const std::vector<ir::ValueId>& bounds = kernel_[plan_.loop].operands;
  return std::all_of(bounds.begin(), bounds.begin() + 3, [&](ir::ValueId bound) { return same_in_all_blocks(bound); });
}

bool BulkPlanner::same_in_all_blocks(ir::ValueId value) const {
  const ir::OpId made = kernel_[value].op;
  if (!made.valid()) return true;
  const ir::Op& op = kernel_[made];
  return op.code != Opcode::Ctx && std::all_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) { return same_in_all_blocks(operand); });
}

std::string BulkPlanner::look_at_load(ir::OpId id) const {
  const ir::Op& load = kernel_[id];
  const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
  const auto index = static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), load.operands[0]) - arguments.begin());
  if (kernel_.type(load.operands[0]).space != ir::Type::Space::Global || index >= kernel_.parameters.size()) return "an operand is no slice of a tensor";
  if (kernel_.parameters[index].written) return "the kernel writes a tensor that it multiplies";
  if (kernel_.type(load.results[0]).rank() != 2) return "an operand has not two axes";
  for (std::size_t i = 1; i < load.operands.size(); ++i)
    if (!follows(load.operands[i])) return "where an operand begins is not known before the kernel does anything";
  return {};
}

// Whether a scalar follows from arguments, the block, and the variable of the loop, by arithmetic alone.
bool BulkPlanner::follows(ir::ValueId value) const {
  const ir::Value& known = kernel_[value];
  if (known.type.is_buffer()) return true;
  if (!known.type.is_scalar()) return false;
  if (!known.op.valid()) {
    const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
    return value == kernel_[kernel_[plan_.loop].regions[0]].arguments[0] || std::find(arguments.begin(), arguments.end(), value) != arguments.end();
  }
  const ir::Op& op = kernel_[known.op];
  return is_pure(op) && std::all_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) { return follows(operand); });
}

std::string BulkPlanner::look_at_dot(ir::OpId dot, Contraction& how) const {
  if (std::string why = why_not_groups(kernel_, kernel_[dot], chip_); !why.empty()) return why;
  how = choose_contraction(kernel_, kernel_[dot], chip_);
  if (how.path != Contraction::Path::Mma) return how.reason;
  if (kernel_.threads > 384) return fmt::format("the CTA has {} threads, which leaves none for the copies' role", kernel_.threads);
  return {};
}

std::string BulkPlanner::look_at_operand(const Contraction& how, BulkPlan::Operand& operand) const {
  const std::int64_t bytes = size_of(kernel_.type(kernel_[operand.dot].operands[operand.which]).element);
  const bool along_k = operand.which == 0 || how.transposed;
  const std::int64_t across = operand.which == 0 ? how.m : how.n, rows = along_k ? across : how.k;
  operand.swizzle = swizzle_for((along_k ? how.k : across) * bytes, along_k);
  operand.bytes = across * how.k * bytes;
  if (operand.swizzle.row == 0) return "rows of an operand cannot be swizzled";
  if (rows > largest_box) return fmt::format("{} rows are more than the {} of a box", rows, largest_box);
  if (operand.bytes % stage_granule != 0) return fmt::format("an operand of {} bytes is no multiple of {}", operand.bytes, stage_granule);
  return {};
}

std::string BulkPlanner::look_at_registers(std::int64_t columns, std::int64_t per_thread, std::int64_t others) const {
  const int most = plan_.registers_of_consumer(kernel_) == 0 ? Chip::registers_of_thread : plan_.registers_of_consumer(kernel_);
  if (per_thread + others > most) return fmt::format("{} sums a thread are too many for {} registers", per_thread, most);
  // The assembler takes what the launch gives to all for what a multiplication may have.
  if (columns / 2 + 24 > registers_at_launch(plan_.consumers(kernel_) + BulkPlan::producers)) return fmt::format("{} columns are too many for the registers at launch", columns);
  return {};
}

std::string BulkPlanner::look_at_sum() {
  if (kernel_.type(kernel_[plan_.dot].operands[0]).element == ScalarType::F32) return look_at_sum_of_f32();
  Contraction how;
  if (std::string why = look_at_dot(plan_.dot, how); !why.empty()) return why;
  for (BulkPlan::Operand& operand : plan_.rings[0].operands)
    if (std::string why = look_at_operand(how, operand); !why.empty()) return why;
  if (std::string why = look_at_registers(how.n, how.m * how.n / kernel_.threads, of_addresses); !why.empty()) return why;
  kernel_[plan_.dot].immediate |= dot_by_groups;
  return {};
}

// Results that lie as the contraction left them, and whose tensor nothing else touches.
void BulkPlanner::find_stores() {
  const ir::Type& sums = kernel_.type(kernel_[plan_.dot].results[0]);
  if (sums.shape[1] % 64 != 0 || choose_contraction(kernel_, kernel_[plan_.dot], chip_).swapped()) return;
  for (const ir::OpId id : live_) {
    const ir::Op& op = kernel_[id];
    if (op.code != Opcode::TileStore || kernel_.type(op.operands[0]).space != ir::Type::Space::Global) continue;
    const ir::Type& tile = kernel_.type(op.operands[1]);
    if (tile.shape != sums.shape || size_of(tile.element) != 2 || !is_float(tile.element) || !is_result(op.operands[1])) continue;
    const std::vector<ir::OpId>& ops = kernel_[kernel_.body].ops;
    if (uses_[op.operands[0]].size() == 1 && std::find(ops.begin(), ops.end(), id) != ops.end()) plan_.stores.push_back(id);
  }
}

bool BulkPlanner::is_result(ir::ValueId value) const {
  const ir::OpId made = kernel_[value].op;
  if (!made.valid()) return false;
  if (made == plan_.loop) return true;
  const ir::Op& op = kernel_[made];
  return ir::has(ir::info(op.code).traits, ir::Trait::Elementwise) &&
         std::any_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) { return kernel_.type(operand).is_tile() && is_result(operand); });
}

std::string BulkPlanner::fit() {
  std::int64_t taken = spare + plan_.box_area(kernel_);
  for (const ir::OpId id : live_) {
    if (kernel_[id].code != Opcode::Alloc) continue;
    const ir::Type& type = kernel_.type(kernel_[id].results[0]);
    taken += ir::element_count(type.shape) * size_of(type.element);
  }
  std::int64_t stage = 0;  // of all rings that turn
  for (BulkPlan::Ring& ring : plan_.rings) {
    const std::int64_t bytes = ring.stage_bytes() + ring.barriers() * 8;
    (ring.resident ? taken : stage) += bytes;
    if (ring.resident) ring.stages = 1;
  }
  std::int64_t stages = std::min((chip_.shared_of_cta - taken) / stage, most_stages);
  const std::int64_t demanded = kernel_.pipeline ? kernel_.pipeline->stages : 0;
  if (demanded > stages || stages < 2) {
    for (const ir::OpId dot : dots_) kernel_[dot].immediate &= ~dot_by_groups;
    return fmt::format("{} stages of {} bytes do not fit in shared memory", std::max<std::int64_t>(2, demanded), stage);
  }
  if (demanded > 0) stages = demanded;
  for (BulkPlan::Ring& ring : plan_.rings)
    if (!ring.resident) ring.stages = stages;
  if (kernel_.pipeline) kernel_.pipeline->met = true;
  return {};
}

std::int64_t BulkPlan::Ring::copied_bytes() const {
  std::int64_t bytes = 0;
  for (const Operand& operand : operands) bytes += operand.bytes;
  return bytes;
}

bool BulkPlan::brings(ir::OpId load) const {
  return std::any_of(rings.begin(), rings.end(), [&](const Ring& ring) {
    return std::any_of(ring.operands.begin(), ring.operands.end(), [&](const Operand& operand) { return operand.load == load; });
  });
}

bool BulkPlan::shrink() {
  bool smaller = false;
  for (Ring& ring : rings)
    if (ring.stages > 2) {
      --ring.stages;
      smaller = true;
    }
  return smaller;
}

std::int64_t BulkPlan::ring_at(std::size_t ring) const {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < ring; ++i) at += rings[i].stages * rings[i].stage_bytes();
  return at;
}

std::int64_t BulkPlan::barrier_at(std::size_t ring) const {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < ring; ++i) at += rings[i].stages * rings[i].barriers() * 8;
  return at;
}

int BulkPlan::registers_of_producer(const ir::Kernel& kernel) const {
  return consumers(kernel) < 256 ? 0 : consumers(kernel) > 256 ? 32 : is_chain() ? 24 : 40;
}

int BulkPlan::registers_of_consumer(const ir::Kernel& kernel) const {
  const std::int64_t all = consumers(kernel) + producers;
  if (consumers(kernel) < 256) return 0;
  const std::int64_t left = registers_at_launch(all) * all - registers_of_producer(kernel) * producers;
  return static_cast<int>(std::min<std::int64_t>(left / consumers(kernel) / 8 * 8, 240));
}

BulkPlan plan_bulk_copies(ir::Kernel& kernel, const Chip& chip) { return BulkPlanner(kernel, chip).plan(); }

}  // namespace phobos::passes
