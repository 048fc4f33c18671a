// Tiles that are loaded only to be multiplied never pass through registers: they are copied into shared memory by copies that go on by
// themselves, and read there. In a loop the copies run ahead: a ring of stages holds the operands of this turn and of the next ones,
//
//   for k in range(begin, end, step) {            for k from begin, stages - 1 turns {
//     a = tile_load A, r, k                         async_load ring, stage, k < end, A, r, k
//     acc = dot a, b, acc                           async_commit
//   }                                             }
//                                          →      for k in range(begin, end, step) {
//                                                   async_wait<stages - 2>     this turn's operands are there,
//                                                   barrier                    and everybody is done with those of the last turn
//                                                   ahead = k + (stages - 1) step
//                                                   async_load ring, …, ahead < end, A, r, ahead
//                                                   a = shared_tile ring, stage
//                                                   acc = dot a, b, acc        the copies are issued among the multiplications
//                                                   async_commit
//                                                 }
//
// so that a turn has one barrier and waits for memory only when all stages are used up. Elsewhere the copy is waited for where the load
// stood; that is worth it where a loop further in reads the tile again and again.
#include <phobos/passes/passes.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <phobos/ir/builder.h>
#include <phobos/passes/contraction.h>

#include "walk.h"

namespace phobos::passes {
namespace {

using ir::Opcode;

constexpr std::int64_t most_stages = 4;
constexpr std::int64_t reserve = 16 * 1024;  // of shared memory, for what operations exchange

class Stager {
 public:
  Stager(ir::Kernel& kernel, const Chip& chip) : kernel_(kernel), chip_(chip), uses_(kernel.values.size()), b_(kernel) {}

  void run() {
    if (!chip_.async_copies()) return;
    bool dots = false;
    std::int64_t taken = 0;
    for (const ir::Op& op : kernel_.ops) {
      dots |= op.code == Opcode::Dot;
      if (op.code == Opcode::LoadAcquire || op.code == Opcode::GridBarrier) return;  // others write while the kernel runs
      if (op.code == Opcode::Alloc) taken += ir::element_count(kernel_.type(op.results[0]).shape) * size_of(kernel_.type(op.results[0]).element);
    }
    if (!dots) return;
    const std::int64_t ctas = std::max(1, kernel_.min_blocks.value_or(1));
    room_ = std::min(chip_.shared_limit, chip_.shared_total / ctas - 1024) - taken - reserve;
    note_uses(kernel_.body, 0);
    region(kernel_.body, 0);
    drop_barriers();
  }

 private:
  struct Use {
    ir::OpId op;
    std::size_t operand;
    int depth;  // of loops
  };

  void note_uses(ir::RegionId id, int depth) {
    for (const ir::OpId op_id : kernel_[id].ops) {
      const ir::Op& op = kernel_[op_id];
      for (std::size_t i = 0; i < op.operands.size(); ++i) uses_[op.operands[i]].push_back({op_id, i, depth});
      const bool loop = op.code == Opcode::For || op.code == Opcode::While;
      for (const ir::RegionId inner : op.regions) note_uses(inner, depth + (loop ? 1 : 0));
    }
  }

  static std::int64_t pitch_of(const ir::Type& tile) {
    const std::int64_t chunk = 16 / size_of(tile.element);
    return tile.shape[1] / chunk % 2 == 0 ? tile.shape[1] + chunk : tile.shape[1];  // an odd number of chunks spreads rows over the banks
  }
  std::int64_t bytes_of(ir::OpId load) const {
    const ir::Type& tile = kernel_.type(kernel_[load].results[0]);
    return tile.shape[0] * pitch_of(tile) * size_of(tile.element);
  }

  // Whether a load's tile may lie in shared memory: it is only multiplied, and nobody writes the tensor.
  bool stageable(ir::OpId id) const {
    const ir::Op& op = kernel_[id];
    if (op.code != Opcode::TileLoad) return false;
    const ir::Type& tile = kernel_.type(op.results[0]);
    if (tile.rank() != 2 || tile.shape[1] * size_of(tile.element) % 16 != 0 || tile.element == ScalarType::Bool) return false;
    const std::vector<ir::ValueId>& arguments = kernel_[kernel_.body].arguments;
    const auto parameter = std::find(arguments.begin(), arguments.end(), op.operands[0]);
    const auto index = static_cast<std::size_t>(parameter - arguments.begin());
    if (index >= kernel_.parameters.size() || kernel_.parameters[index].written) return false;
    const std::vector<Use>& uses = uses_[op.results[0]];
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      const ir::Op& dot = kernel_[use.op];
      return dot.code == Opcode::Dot && use.operand < 2 &&
             reads_in_place(choose_contraction(kernel_, dot, chip_), tile.element, use.operand);
    });
  }

  void region(ir::RegionId id, int depth) {
    const std::vector<ir::OpId> ops = kernel_[id].ops;
    std::vector<ir::OpId> made;
    const auto append = [&](const std::function<void()>& build) {  // what is built here, in order, between what was there
      kernel_[id].ops.clear();
      b_.set_region(id);
      build();
      made.insert(made.end(), kernel_[id].ops.begin(), kernel_[id].ops.end());
    };
    for (const ir::OpId op : ops) {
      b_.set_span(kernel_[op].span);
      if (kernel_[op].code == Opcode::For)
        if (const std::vector<ir::OpId> loads = loads_to_pipeline(op); !loads.empty())
          append([&] { pipeline(op, loads, depth); });
      if (stageable(op) && worth_alone(op, depth)) {
        append([&] { stage_alone(op, depth); });
        continue;
      }
      made.push_back(op);
      const bool loop = kernel_[op].code == Opcode::For || kernel_[op].code == Opcode::While;
      for (const ir::RegionId inner : std::vector<ir::RegionId>(kernel_[op].regions)) region(inner, depth + (loop ? 1 : 0));
    }
    kernel_[id].ops = std::move(made);
  }

  // --- one copy, waited for at once ---

  bool worth_alone(ir::OpId load, int depth) const {
    const std::vector<Use>& uses = uses_[kernel_[load].results[0]];
    const bool again = std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.depth > depth; });
    return (again || depth == 0) && bytes_of(load) <= room_;
  }

  void stage_alone(ir::OpId load, int depth) {
    const ir::ValueId ring = allocate(load, 1);
    const ir::ValueId stage = b_.integer(ScalarType::Index, 0);
    if (depth > 0) b_.op(Opcode::Barrier, {});
    copy(load, ring, stage, b_.integer(ScalarType::Bool, 1), kernel_[load].operands);
    b_.op(Opcode::AsyncCommit, {});
    b_.op(Opcode::AsyncWait, {}, 0);
    alone_.push_back({b_.region(), b_.op(Opcode::Barrier, {}), load});
    become_shared(load, ring, stage);
    kernel_[b_.region()].ops.push_back(load);
  }

  // A copy that only pipelined loops read needs no barrier: each of their turns begins with one.
  void drop_barriers() {
    for (const Alone& alone : alone_) {
      const std::vector<Use>& uses = uses_[kernel_[alone.load].results[0]];
      if (!std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return behind_barrier_.contains(use.op.value); })) continue;
      std::erase(kernel_[alone.region].ops, alone.barrier);
    }
  }

  // --- a ring of copies ---

  // The loads of a loop that can run ahead of it: where they start is known from the loop's variable, and the loop ends only of itself.
  std::vector<ir::OpId> loads_to_pipeline(ir::OpId loop) {
    std::vector<ir::OpId> loads;
    const ir::RegionId body = kernel_[loop].regions[0];
    if (leaves(body)) return {};
    body_ops_.clear();
    for (const ir::OpId id : kernel_[body].ops) body_ops_.insert(id.value);
    std::int64_t bytes = 0;
    for (const ir::OpId id : kernel_[body].ops) {
      if (!stageable(id)) continue;
      const ir::Op& load = kernel_[id];
      std::set<std::uint32_t> inner;
      if (!std::all_of(load.operands.begin() + 1, load.operands.end(), [&](ir::ValueId start) { return foreseeable(start, loop, inner); })) continue;
      if ((bytes + bytes_of(id)) * 2 > room_) continue;
      bytes += bytes_of(id);
      loads.push_back(id);
    }
    return loads;
  }

  bool leaves(ir::RegionId region) const {
    for (const ir::OpId id : kernel_[region].ops) {
      const ir::Op& op = kernel_[id];
      if (op.code == Opcode::Break || op.code == Opcode::Continue || op.code == Opcode::Leave || op.code == Opcode::Return) return true;
      for (const ir::RegionId inner : op.regions)
        if (leaves(inner)) return true;
    }
    return false;
  }

  // Whether a value of the loop's body follows from the loop's variable and from what is known before the loop.
  bool foreseeable(ir::ValueId value, ir::OpId loop, std::set<std::uint32_t>& inner) const {
    const ir::RegionId body = kernel_[loop].regions[0];
    const ir::Value& known = kernel_[value];
    if (!known.op.valid()) return value == kernel_[body].arguments[0] || !argument_of(body, value);
    if (!body_ops_.contains(known.op.value)) return true;  // made outside: nothing in a region further in is seen here
    const ir::Op& op = kernel_[known.op];
    if (!is_pure(op) || !known.type.is_scalar()) return false;
    inner.insert(known.op.value);
    return std::all_of(op.operands.begin(), op.operands.end(), [&](ir::ValueId operand) {
      return kernel_.type(operand).is_buffer() || foreseeable(operand, loop, inner);
    });
  }

  bool argument_of(ir::RegionId region, ir::ValueId value) const {
    const std::vector<ir::ValueId>& arguments = kernel_[region].arguments;
    return std::find(arguments.begin(), arguments.end(), value) != arguments.end();
  }

  void pipeline(ir::OpId loop, const std::vector<ir::OpId>& loads, int depth) {
    std::int64_t bytes = 0;
    for (const ir::OpId load : loads) bytes += bytes_of(load);
    const std::int64_t stages = std::clamp(room_ / bytes, std::int64_t{2}, most_stages);
    const ir::RegionId before = b_.region(), body = kernel_[loop].regions[0];
    std::vector<ir::ValueId> rings;
    for (const ir::OpId load : loads) rings.push_back(allocate(load, stages));

    const std::vector<ir::ValueId> bounds(kernel_[loop].operands.begin(), kernel_[loop].operands.begin() + 3);
    const ir::Type counter = kernel_.type(bounds[0]);
    const ir::ValueId first = b_.integer(ScalarType::Index, 0), one = b_.integer(ScalarType::Index, 1);
    const ir::ValueId last = b_.integer(ScalarType::Index, stages - 1);
    const ir::ValueId lead = b_.value(Opcode::Mul, counter, {b_.integer(counter.element, stages - 1), bounds[2]});
    if (depth > 0) b_.op(Opcode::Barrier, {});  // of the loop outside, an earlier turn may still read the ring

    const ir::ValueId until = b_.value(Opcode::Add, counter, {bounds[0], lead});
    const ir::OpId ahead = b_.op(Opcode::For, {bounds[0], until, bounds[2], first});
    b_.add_result(ahead, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    const ir::RegionId filling = b_.new_region();
    kernel_[ahead].regions.push_back(filling);
    const ir::ValueId at = b_.add_argument(filling, counter, Kind::Uniform);
    const ir::ValueId stage = b_.add_argument(filling, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    b_.set_region(filling);
    fill(loop, loads, rings, at, stage, bounds[1]);
    b_.op(Opcode::AsyncCommit, {});
    b_.op(Opcode::Yield, {b_.value(Opcode::Add, ir::Type::scalar(ScalarType::Index), {stage, one})});

    // The loop carries the stage of its turn.
    kernel_[loop].operands.push_back(first);
    b_.add_result(loop, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    const ir::ValueId now = b_.add_argument(body, ir::Type::scalar(ScalarType::Index), Kind::Uniform);
    std::vector<ir::OpId> ops = std::move(kernel_[body].ops);
    kernel_[body].ops.clear();
    b_.set_region(body);
    b_.op(Opcode::AsyncWait, {}, stages - 2);
    b_.op(Opcode::Barrier, {});
    const ir::Type flag = ir::Type::scalar(ScalarType::Bool), index = ir::Type::scalar(ScalarType::Index);
    const ir::ValueId around = b_.value(Opcode::CmpEq, flag, {now, first});
    const ir::ValueId free = b_.value(Opcode::Select, index, {around, last, b_.value(Opcode::Sub, index, {now, one})});
    fill(loop, loads, rings, b_.value(Opcode::Add, counter, {kernel_[body].arguments[0], lead}), free, bounds[1]);
    const ir::OpId yield = ops.back();
    ops.pop_back();
    for (const ir::OpId op : ops) behind_barrier_.insert(op.value);
    kernel_[body].ops.insert(kernel_[body].ops.end(), ops.begin(), ops.end());
    for (std::size_t i = 0; i < loads.size(); ++i) become_shared(loads[i], rings[i], now);
    b_.op(Opcode::AsyncCommit, {});
    const ir::ValueId full = b_.value(Opcode::CmpEq, flag, {now, last});
    const ir::ValueId next = b_.value(Opcode::Select, index, {full, first, b_.value(Opcode::Add, index, {now, one})});
    kernel_[yield].operands.push_back(next);
    kernel_[body].ops.push_back(yield);
    b_.set_region(before);
  }

  // Copies of what the loop reads in the turn of `at`, if there is such a turn.
  void fill(ir::OpId loop, const std::vector<ir::OpId>& loads, const std::vector<ir::ValueId>& rings, ir::ValueId at, ir::ValueId stage,
            ir::ValueId end) {
    const ir::ValueId more = b_.value(Opcode::CmpLt, ir::Type::scalar(ScalarType::Bool), {at, end});
    std::map<std::uint32_t, ir::ValueId> copies{{kernel_[kernel_[loop].regions[0]].arguments[0].value, at}};
    for (std::size_t i = 0; i < loads.size(); ++i) {
      std::vector<ir::ValueId> operands = kernel_[loads[i]].operands;
      for (std::size_t start = 1; start < operands.size(); ++start) operands[start] = copy_of(operands[start], loop, copies);
      copy(loads[i], rings[i], stage, more, operands);
    }
  }

  // A value of the loop's body, computed anew for another turn.
  ir::ValueId copy_of(ir::ValueId value, ir::OpId loop, std::map<std::uint32_t, ir::ValueId>& copies) {
    if (const auto known = copies.find(value.value); known != copies.end()) return known->second;
    std::set<std::uint32_t> inner;
    foreseeable(value, loop, inner);
    const ir::OpId made = kernel_[value].op;
    if (!made.valid() || !inner.contains(made.value)) return value;
    std::vector<ir::ValueId> operands;
    for (const ir::ValueId operand : std::vector<ir::ValueId>(kernel_[made].operands)) operands.push_back(copy_of(operand, loop, copies));
    const ir::Op original = kernel_[made];
    const ir::OpId again = b_.op(original.code, operands, original.immediate);
    kernel_[again].real = original.real;
    const ir::Type type = kernel_.type(value);
    return copies[value.value] = b_.add_result(again, type, kernel_[value].kind);
  }

  // --- both ---

  ir::ValueId allocate(ir::OpId load, std::int64_t stages) {
    const ir::Type tile = kernel_.type(kernel_[load].results[0]);
    room_ -= stages * bytes_of(load);
    return b_.value(Opcode::Alloc, ir::Type::buffer(tile.element, {stages, tile.shape[0], pitch_of(tile)}, ir::Type::Space::Shared), {});
  }

  void copy(ir::OpId load, ir::ValueId ring, ir::ValueId stage, ir::ValueId whether, const std::vector<ir::ValueId>& from) {
    std::vector<ir::ValueId> operands{ring, stage, whether};
    operands.insert(operands.end(), from.begin(), from.end());
    const Span span = b_.span();
    b_.set_span(kernel_[load].span);
    b_.op(Opcode::AsyncLoad, std::move(operands), kernel_.type(kernel_[load].results[0]).shape[1]);
    b_.set_span(span);
  }

  void become_shared(ir::OpId load, ir::ValueId ring, ir::ValueId stage) {
    kernel_[load].code = Opcode::SharedTile;
    kernel_[load].operands = {ring, stage};
  }

  ir::Kernel& kernel_;
  const Chip& chip_;
  IdVector<ir::ValueId, std::vector<Use>> uses_;
  ir::Builder b_;
  std::set<std::uint32_t> body_ops_;  // of the loop that is looked at
  std::int64_t room_ = 0;
  struct Alone {
    ir::RegionId region;
    ir::OpId barrier, load;
  };
  std::vector<Alone> alone_;
  std::set<std::uint32_t> behind_barrier_;  // operations of pipelined loops
};

}  // namespace

void stage_operands(ir::Kernel& kernel, const Chip& chip) { Stager(kernel, chip).run(); }

}  // namespace phobos::passes
